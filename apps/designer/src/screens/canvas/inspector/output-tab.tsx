import { outputSchemaOf } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { membersOfSchema, typeOfSchema } from '../../../inspecting/members.ts';
import css from '../inspector.module.css';
import { useInspected } from './inspecting.ts';
import { PreviewText } from './preview-line.tsx';
import { Recorded } from './recorded.tsx';

/** What the node gave in the chosen run, and what it is known to give. */
export function OutputTab() {
  const { t } = useTranslation();
  return (
    <>
      <Recorded>
        {({ output, failure }) => (
          <>
            {failure !== undefined && <p className={css.error}>{failure}</p>}
            {output && (
              <section>
                <h3>{t('inspector.gave')}</h3>
                <PreviewText preview={output} label={t(`inspector.types.${output.type}`)} />
              </section>
            )}
            {!output && failure === undefined && <p className={css.about}>{t('inspector.noOutput')}</p>}
          </>
        )}
      </Recorded>
      <KnownOutput />
    </>
  );
}

function KnownOutput() {
  const { t } = useTranslation();
  const { node, tools } = useInspected();
  const schema = outputSchemaOf(node, tools as never);
  const members = membersOfSchema(schema);
  const type = typeOfSchema(schema);
  return (
    <section className={css.fields} aria-label={t('inspector.known')}>
      <h3>{t('inspector.known')}</h3>
      {type === undefined ? (
        <p className={css.about}>{t('inspector.unknown')}</p>
      ) : (
        <p className={css.about}>{t(`inspector.types.${type}`)}</p>
      )}
      {members.length > 0 && (
        <dl className={css.members}>
          {members.map((member) => (
            <div key={member.name}>
              <dt>
                <code>{member.name}</code>
              </dt>
              <dd>
                {member.type && t(`inspector.types.${member.type}`)}
                {member.about && ` · ${member.about}`}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

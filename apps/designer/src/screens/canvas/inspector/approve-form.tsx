import { useTranslation } from 'react-i18next';
import { isObject } from '../../../inspecting/members.ts';
import { AddButton, Choice } from '../fields.tsx';
import css from '../inspector.module.css';
import { CodeSetting } from './code-setting.tsx';
import { useSetAt, useSetting } from './inspecting.ts';
import { OtherMembers } from './other-members.tsx';
import { SettingProblems } from './setting-problems.tsx';
import { SingleSetting } from './single-setting.tsx';
import { JsonSetting } from './value-setting.tsx';

/** Which calls of a tool a person must allow, as an expression; and, when asked for, who that is and until when. */
export function ApproveForm({ pointer }: { readonly pointer: string }) {
  const { t } = useTranslation();
  const setAt = useSetAt();
  const { value } = useSetting(pointer);
  const label = t('agentTools.approve');
  if (value !== undefined && typeof value !== 'string' && !isObject(value))
    return (
      <div>
        <JsonSetting {...{ label, pointer }} />
        <SettingProblems pointer={pointer} />
      </div>
    );
  const rule = isObject(value) ? value : undefined;
  const place = rule ? `${pointer}/when` : pointer;
  return (
    <div className={css.group}>
      <div>
        <CodeSetting label={label} pointer={place} language="expression" />
        <p className={css.about}>{t('agentTools.approveAbout')}</p>
        <SettingProblems pointer={pointer} isExact />
        {rule && <SettingProblems pointer={place} />}
      </div>
      {typeof value === 'string' && (
        <AddButton words={t('agentTools.approveMore')} onClick={() => setAt(pointer, { when: value })} />
      )}
      {rule && (
        <>
          <WhoField pointer={`${pointer}/who`} />
          <DeadlineForm pointer={pointer} />
          <OtherMembers pointer={pointer} names={Object.keys(rule).filter((name) => !ROWS.includes(name))} />
        </>
      )}
    </div>
  );
}

const ROWS = ['when', 'who', 'deadline', 'onDeadline'];

/** Who may answer. */
export const WhoField = ({ pointer }: { readonly pointer: string }) => (
  <SingleSetting field={{ pointer, label: 'who', form: 'words' }} />
);

const AFTER_DEADLINE = ['fail', 'reject', 'approve'] as const;

/** Until when somebody may answer, and what it means that nobody did; `pointer` is of what holds both. */
export function DeadlineForm({ pointer }: { readonly pointer: string }) {
  const { t } = useTranslation();
  const setAt = useSetAt();
  const place = `${pointer}/onDeadline`;
  const { value } = useSetting(place);
  return (
    <>
      <SingleSetting field={{ pointer: `${pointer}/deadline`, label: 'deadline', form: 'template' }} />
      <div>
        <Choice
          label={t('canvas.fields.onDeadline')}
          value={value as string | undefined}
          options={AFTER_DEADLINE.map((each) => [each, t(`agentTools.afterDeadline.${each}`)])}
          empty={t('agentTools.usually', { what: t('agentTools.afterDeadline.fail') })}
          onChange={(next) => setAt(place, next)}
        />
        <SettingProblems pointer={place} />
      </div>
    </>
  );
}

import type { ToolInfo } from '@pawl/api';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { toolsQuery } from '../../api/tools.ts';
import { EffectWords } from '../../graph/effect-words.tsx';
import { toolRef } from '../../tools/tool-ref.ts';
import { duration } from '../../ui/amounts.ts';
import { Page } from '../../ui/page.tsx';
import { McpPart } from './mcp-part.tsx';
import { SchemaPart } from './schema-part.tsx';
import css from './tool-screen.module.css';
import { ToolUse } from './tool-use.tsx';
import { TryTool } from './try-tool.tsx';

/** One tool: what it does, what repeating it does, what it takes and what it gives. */
export function ToolScreen() {
  const { t } = useTranslation();
  const { tool: wanted } = useParams({ from: '/tools/$tool' });
  const tools = useQuery(toolsQuery);
  const tool = tools.data?.items.find((each) => toolRef(each) === wanted);
  return (
    <Page
      title={
        <span className={css.crumbs}>
          <Link to="/tools" search={true}>
            {t('rail.tools')}
          </Link>{' '}
          / {wanted}
        </span>
      }
    >
      {tools.isPending && <p>{t('state.loading')}</p>}
      {tools.isError && <p role="alert">{tools.error.message}</p>}
      {tools.isSuccess && !tool && (
        <>
          <p role="alert">{t('tools.gone', { tool: wanted })}</p>
          <Link to="/tools">{t('tools.toTools')}</Link>
        </>
      )}
      {tool && (
        <div className={css.tool}>
          <header className={css.about}>
            <h2>{tool.title ?? tool.name}</h2>
            <EffectWords tool={tool} />
          </header>
          <Facts tool={tool} />
          {tool.mcp && <McpPart key={`mcp ${wanted}`} origin={tool.mcp} />}
          <ToolUse key={wanted} tool={tool} />
          <SchemaPart title={t('tools.input')} schema={tool.input} />
          <SchemaPart title={t('tools.output')} schema={tool.output} />
          <TryTool key={`try ${wanted}`} tool={tool} />
        </div>
      )}
    </Page>
  );
}

function Facts({ tool }: { readonly tool: ToolInfo }) {
  const { t } = useTranslation();
  const { effect, timeoutMs } = tool;
  return (
    <section aria-label={t('tools.facts')}>
      <dl className={css.facts}>
        <div>
          <dt>{t('tools.name')}</dt>
          <dd>
            <code>{toolRef(tool)}</code>
          </dd>
        </div>
        <div>
          <dt>{t('tools.effect')}</dt>
          <dd>{t(`effect.${effect}`)}</dd>
        </div>
        <div>
          <dt>{t('tools.limit')}</dt>
          <dd>{timeoutMs === undefined ? t('tools.usualLimit') : duration(timeoutMs)}</dd>
        </div>
        {effect !== 'pure' &&
          (['probes', 'compensates', 'polls'] as const).map((can) => (
            <div key={can}>
              <dt>{t(`tools.${can}`)}</dt>
              <dd>{tool[can] ? t('inspector.yes') : t('inspector.no')}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

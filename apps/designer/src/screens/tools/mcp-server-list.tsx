import type { ToolInfo } from '@pawl/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { toolsQuery } from '../../api/tools.ts';
import { workStateQuery } from '../../api/work-state.ts';
import { type McpServerView, mcpServers } from '../../tools/mcp-servers.ts';
import { duration } from '../../ui/amounts.ts';
import pill from '../../ui/status-pill.module.css';
import css from './mcp-server-list.module.css';

const LOOKS = {
  connected: { tone: 'ok', sign: '●' },
  some: { tone: 'degraded', sign: '◐' },
  away: { tone: 'unsure', sign: '○' },
  none: { tone: 'skip', sign: '–' },
} as const;

/** The MCP servers, each with how it stands and what of it waits for a person; pressing one lists its tools alone. */
export function McpServerList({
  tools,
  chosen,
  onChoose,
}: {
  readonly tools: readonly ToolInfo[];
  readonly chosen: string | undefined;
  onChoose(server: string | undefined): void;
}) {
  const { t } = useTranslation();
  const work = useQuery(workStateQuery);
  const servers = mcpServers(work.data?.workers ?? [], tools);
  const queries = useQueryClient();
  const isBehind = servers.some((server) => server.offered > server.tools);
  // Tools come with their server, while somebody looks.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at anew with each answer about the workers.
  useEffect(() => {
    if (isBehind) void queries.invalidateQueries({ queryKey: toolsQuery.queryKey, exact: true });
  }, [queries, isBehind, work.dataUpdatedAt]);
  if (!work.data || servers.length === 0) return null;
  return (
    <section className={css.servers} aria-label={t('tools.mcp.servers')}>
      <h2>{t('tools.mcp.servers')}</h2>
      <ul className={css.list}>
        {servers.map((server) => (
          <li key={server.name} className={css.server}>
            <button
              type="button"
              className={css.name}
              aria-pressed={chosen === server.name}
              onClick={() => onChoose(chosen === server.name ? undefined : server.name)}
            >
              {server.name} <span className={css.count}>{server.tools}</span>
            </button>
            <ServerState server={server} readAt={work.dataUpdatedAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ServerState({ server, readAt }: { readonly server: McpServerView; readonly readAt: number }) {
  const { t } = useTranslation();
  const { state, since, problem, toConfirm, lapsed, leftOut } = server;
  const { tone, sign } = LOOKS[state];
  return (
    <div className={css.state}>
      <span className={`${pill.pill} ${pill[tone]}`}>
        <span aria-hidden="true">{sign}</span>
        <span>{t(`tools.mcp.states.${state}`)}</span>
      </span>
      {lapsed > 0 && (
        <span className={`${pill.pill} ${pill.unsure}`}>{t('tools.mcp.lapsedTools', { count: lapsed })}</span>
      )}
      {toConfirm > lapsed && <span>{t('tools.mcp.toConfirm', { count: toConfirm - lapsed })}</span>}
      {since !== undefined && (
        <span className={css.quiet}>
          {t('tools.mcp.awayFor', { time: duration(Math.max(0, readAt - Date.parse(since))) })}
        </span>
      )}
      {problem !== undefined && <span className={css.problem}>{problem}</span>}
      {leftOut.length > 0 && (
        <details className={css.leftOut}>
          <summary>{t('tools.mcp.leftOut', { count: leftOut.length })}</summary>
          <ul>
            {leftOut.map(({ tool, why }) => (
              <li key={tool}>
                <code>{tool}</code> {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

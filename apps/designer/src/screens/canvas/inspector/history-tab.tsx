import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { NODE_RUN_LOOKS } from '../../../graph/status.ts';
import { duration, money } from '../../../ui/amounts.ts';
import css from '../inspector.module.css';
import { useInspected } from './inspecting.ts';
import { useRecentRuns } from './use-recent-runs.ts';

/** Node runs that are shown of one run: of a map only some of its items. */
const MOST_OF_A_RUN = 5;
const MOST_RUNS = 10;

/** How the node ran lately: how it ended, how long it took, what it cost; each leads to its run. */
export function HistoryTab() {
  const { t, i18n } = useTranslation();
  const { document, node } = useInspected();
  const { data: runs } = useRecentRuns(document.name);
  const recent = runs?.slice(0, MOST_RUNS) ?? [];
  const { data: found } = useQuery({
    queryKey: ['history of a node', node.id, recent.map(({ id, lastSeq }) => `${id} ${lastSeq}`)],
    queryFn: ({ signal }) =>
      Promise.all(
        recent.map(async ({ id }) => ({
          runId: id,
          items: (
            await api.listNodeRuns({
              params: { runId: id },
              query: { node: node.id, limit: MOST_OF_A_RUN },
              signal,
            })
          ).items,
        })),
      ),
    enabled: recent.length > 0,
  });
  const rows = found?.flatMap(({ runId, items }) => items.map((item) => ({ runId, ...item }))) ?? [];
  if (runs && recent.length === 0) return <p className={css.none}>{t('inspector.noRun')}</p>;
  if (!found) return <p className={css.none}>{t('state.loading')}</p>;
  if (rows.length === 0) return <p className={css.none}>{t('inspector.neverRan')}</p>;
  return (
    <ul className={css.history}>
      {rows.map(({ runId, path, status, startedAt, finishedAt, costUsd, cached }) => {
        const { tone, sign } = NODE_RUN_LOOKS[status];
        const tookMs = startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : undefined;
        return (
          <li key={`${runId} ${path}`}>
            <Link to="/runs/$runId" params={{ runId }} search={{ select: path }}>
              <span aria-hidden="true" style={{ color: `var(--${tone})` }}>
                {sign}
              </span>
              <span>
                <b>{t(`nodeRunStatus.${status}`)}</b> <code>{path}</code>
                <small>
                  {startedAt && new Date(startedAt).toLocaleString(i18n.language)}
                  {tookMs !== undefined && ` · ${duration(tookMs)}`}
                  {costUsd > 0 && ` · ${money(costUsd * 1e9)}`}
                  {cached && ` · ${t('inspector.cached')}`}
                </small>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

import { useTranslation } from 'react-i18next';
import type { NodeRunHistory, RunHistory } from '../../run/history.ts';
import { nameOf } from '../../run/name-of.ts';
import css from './run-detail.module.css';

/** How many are put on the page at once. */
const SHOWN = 500;

/** Items of a map, turns of a loop or an agent, and what they hold; of the empty path all that a run holds: failures first. */
export function NodeRunChildren({
  history,
  seq,
  path,
  onSelect,
}: {
  readonly history: RunHistory;
  readonly seq: number;
  readonly path: string;
  readonly onSelect: (path: string) => void;
}) {
  const { t } = useTranslation();
  const below = childrenOf(history, seq, path);
  if (below.length === 0) return null;
  return (
    <section>
      <h3>{t('run.inside', { count: below.length })}</h3>
      <ul className={css.grid}>
        {below.slice(0, SHOWN).map(({ nodeRun, status }) => (
          <li key={nodeRun.path}>
            <button
              type="button"
              data-status={status}
              title={`${nodeRun.path} · ${t(`nodeRunStatus.${status}`)}`}
              onClick={() => onSelect(nodeRun.path)}
            >
              <span className={css.text}>{nameOf(history, nodeRun.path, path)}</span>
              <span className={css.hidden}> {t(`nodeRunStatus.${status}`)}</span>
            </button>
          </li>
        ))}
      </ul>
      {below.length > SHOWN && (
        <p className={css.note}>{t('run.furtherInside', { count: below.length - SHOWN })}</p>
      )}
    </section>
  );
}

function childrenOf(history: RunHistory, seq: number, path: string) {
  const below = (history.below.get(path) ?? []).flatMap((nodeRun) => {
    const moment = history.nodeRunAt(nodeRun.path, seq);
    return moment ? [{ nodeRun, status: moment.status }] : [];
  });
  const rank = ({ status }: { status: string }) => ['failed', 'uncertain'].indexOf(status);
  return below.sort((a, b) => rank(b) - rank(a) || byNumber(a.nodeRun, b.nodeRun));
}

const byNumber = (a: NodeRunHistory, b: NodeRunHistory) =>
  a.path.localeCompare(b.path, 'en', { numeric: true });

import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type ShownRun, subFlowsAt } from '../../run/shown-runs.ts';
import { joinWay } from '../../run/ways.ts';
import { Button } from '../../ui/button.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { NodeRunChildren } from './node-run-children.tsx';
import css from './sub-run.module.css';

/** The run of the sub-flow of a node run: how it stands, what is inside, and the ways to it. */
export function SubRun({
  run,
  path,
  onGo,
  onFold,
}: {
  /** The run above. */
  readonly run: ShownRun;
  readonly path: string;
  readonly onGo: (way: string) => void;
  readonly onFold: (run: ShownRun, path: string, to: 'open' | 'closed') => void;
}) {
  const { t } = useTranslation();
  const started = subFlowsAt(run.history, path, run.seq);
  const last = started.at(-1);
  if (!last) return null;
  const sub = run.subs.get(path);
  const isOpen = sub?.place !== undefined;
  // The node run of an undoing is not drawn.
  const isDrawn = run.place !== undefined && run.history.nodeRuns.get(path)?.kind === 'flow';
  const status = sub?.run?.history.runAt(sub.run.seq)?.status ?? endOf(run, path);
  return (
    <section className={css.sub} aria-label={t('run.subRun', { flow: last.flow })}>
      <p className={css.head}>
        {t('run.subRun', { flow: last.flow })} {status && <StatusPill status={status} />}
      </p>
      <p className={css.head}>
        {isDrawn && (
          <Button aria-expanded={isOpen} onClick={() => onFold(run, path, isOpen ? 'closed' : 'open')}>
            {t(isOpen ? 'run.closeInPlace' : 'run.openInPlace')}
          </Button>
        )}
        <Link to="/runs/$runId" params={{ runId: last.runId }}>
          {t('run.openSub')}
        </Link>
      </p>
      {sub?.problem !== undefined && <p role="alert">{sub.problem}</p>}
      {sub?.run && (
        <NodeRunChildren
          history={sub.run.history}
          seq={sub.run.seq}
          path=""
          onSelect={(inner) => onGo(joinWay(joinWay(run.way, path), inner))}
        />
      )}
      {started.length > 1 && (
        <p className={css.tries}>
          {t('run.earlierTries')}{' '}
          {started.slice(0, -1).map(({ runId }) => (
            <Link key={runId} to="/runs/$runId" params={{ runId }}>
              {runId.slice(-8)}
            </Link>
          ))}
        </p>
      )}
    </section>
  );
}

/** How the run ended, as the journal of the run above tells. */
function endOf({ history, seq }: ShownRun, path: string) {
  const last = history.nodeRuns
    .get(path)
    ?.events.findLast(
      (event) => event.seq <= seq && (event.type === 'flow.started' || event.type === 'flow.ended'),
    );
  return last?.type === 'flow.ended' ? last.data.status : undefined;
}

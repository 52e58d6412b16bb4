import type { ToolInfo } from '@pawl/api';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { StatusPill } from '../../ui/status-pill.tsx';
import { RunGraph } from './run-graph.tsx';
import css from './sub-run.module.css';
import { useFeed, useFeedState } from './use-feed.ts';

/** The run of a sub-flow where the run above is looked at: how it stands, its graph, and the way to it. */
export function SubRun({
  runId,
  flow,
  tools,
}: {
  readonly runId: string;
  readonly flow: string;
  readonly tools: ReadonlyMap<string, ToolInfo>;
}) {
  const { t } = useTranslation();
  const { history, lastSeq, problem, work } = useFeedState(useFeed(runId));
  const status = history?.runAt(lastSeq)?.status;
  return (
    <section className={css.sub} aria-label={t('run.subRun', { flow })}>
      <p className={css.head}>
        {t('run.subRun', { flow })} {status && <StatusPill status={status} />}
        <Link to="/runs/$runId" params={{ runId }}>
          {t('run.openSub')}
        </Link>
      </p>
      {problem && <p role="alert">{problem}</p>}
      {history && lastSeq > 0 && (
        <div className={css.graph}>
          <RunGraph
            history={history}
            seq={lastSeq}
            work={work}
            tools={tools}
            selected=""
            onSelect={() => undefined}
          />
        </div>
      )}
    </section>
  );
}

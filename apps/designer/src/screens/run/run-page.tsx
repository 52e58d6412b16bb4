import type { ToolInfo } from '@pawl/api';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { FeedState, RunFeed } from '../../run/feed.ts';
import type { RunHistory } from '../../run/history.ts';
import { everyRun } from '../../run/shown-runs.ts';
import { endOfWay, joinWay } from '../../run/ways.ts';
import { Page } from '../../ui/page.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { RunActions } from './run-actions.tsx';
import { RunArtifacts } from './run-artifacts.tsx';
import { RunDetail } from './run-detail.tsx';
import { RunGraph } from './run-graph.tsx';
import css from './run-page.module.css';
import { RunSpent } from './run-spent.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { Scrubber } from './scrubber.tsx';
import { useRunCommands } from './use-run-commands.ts';
import { useRunView } from './use-run-view.ts';
import { useShownRuns } from './use-shown-runs.ts';
import { NotHere, WayAbove } from './way-above.tsx';

/** One run in three panes with one selection and one time cursor, both in the address; sub-flows that are open stand in all three. */
export function RunPage({
  runId,
  feed,
  state,
  tools,
}: {
  readonly runId: string;
  readonly feed: RunFeed;
  readonly state: FeedState & { readonly history: RunHistory };
  readonly tools: ReadonlyMap<string, ToolInfo>;
}) {
  const { t } = useTranslation();
  const { phase, history, lastSeq } = state;
  const { view, select, move, fold } = useRunView(history, lastSeq);
  const { root, stops, feeds, isBehind } = useShownRuns(runId, state, view);
  const { cursor, selected } = view;
  useRunCommands(root, selected, select, fold);
  const moment = history.runAt(root.seq);
  const [admitted] = history.events;
  const above = admitted?.type === 'run.admitted' ? admitted.data.parent : undefined;
  const { run: runWay, path } = endOfWay(selected);
  const inside = [...everyRun(root)].find(({ way }) => way === runWay);
  return (
    <Page
      isBare
      title={
        <>
          <Link to="/runs" className={css.crumb}>
            {t('rail.runs')}
          </Link>{' '}
          {above && (
            <>
              /{' '}
              <Link
                to="/runs/$runId"
                params={{ runId: above.runId }}
                search={{ select: above.path }}
                className={css.crumb}
              >
                {t('run.above', { run: above.runId.slice(-8) })}
              </Link>{' '}
            </>
          )}
          / {history.graph.document.title ?? history.graph.document.name}{' '}
          <code className={css.id}>{runId.slice(-8)}</code>
          {history.graph.document.test && <span className={css.test}>{t('testing.test')}</span>}
        </>
      }
      actions={
        <>
          {moment && <RunSpent moment={moment} />}
          {moment && <StatusPill status={moment.status} />}
          {(phase === 'behind' || isBehind) && (
            <span role="status" className={css.behind}>
              {t('run.behind')}
            </span>
          )}
          {history.events.some(({ type }) => type === 'artifact.created') && (
            <RunArtifacts runId={runId} seq={lastSeq} />
          )}
          <Link to="/compare" search={{ left: runId }}>
            {t('compare.with')}
          </Link>
          {!cursor && moment && (
            <RunActions runId={runId} status={moment.status} canRetry={history.hasFailuresThatWait} />
          )}
        </>
      }
    >
      <div className={`${css.panes} ${cursor ? css.recorded : ''}`}>
        <RunGraph root={root} tools={tools} selected={selected} onSelect={select} onFold={fold} />
        <RunTimeline root={root} selected={selected} onSelect={select} onFold={fold} />
        <Scrubber stops={stops} last={lastSeq} at={cursor} onMove={move} />
        {inside && inside.history.lastSeq > 0 ? (
          <RunDetail
            key={selected}
            feed={inside === root ? feed : feeds.feedOf(inside.runId)}
            run={inside}
            path={path}
            isNow={!cursor}
            tools={tools}
            above={
              runWay !== '' && (
                <WayAbove root={root} run={inside} path={path} isNow={!cursor} onSelect={select} />
              )
            }
            onSelect={(to) => select(joinWay(runWay, to))}
            onGo={select}
            onFold={fold}
          />
        ) : (
          <NotHere root={root} way={runWay} onSelect={select} />
        )}
      </div>
    </Page>
  );
}

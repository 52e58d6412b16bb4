import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { toolsQuery } from '../../api/tools.ts';
import type { RunHistory } from '../../run/history.ts';
import { toolRef } from '../../tools/tool-ref.ts';
import { Page } from '../../ui/page.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { RunActions } from './run-actions.tsx';
import { RunArtifacts } from './run-artifacts.tsx';
import { RunDetail } from './run-detail.tsx';
import { RunGraph } from './run-graph.tsx';
import css from './run-screen.module.css';
import { RunSpent } from './run-spent.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { Scrubber } from './scrubber.tsx';
import { useFeed, useFeedState } from './use-feed.ts';

/** One run in three panes with one selection and one time cursor, both in the address. */
export function RunScreen() {
  const { t } = useTranslation();
  const { runId } = useParams({ from: '/runs/$runId' });
  const { select, at } = useSearch({ from: '/runs/$runId' });
  const navigate = useNavigate({ from: '/runs/$runId' });
  const feed = useFeed(runId);
  const { phase, history, lastSeq, problem, work: asked } = useFeedState(feed);
  const tools = useTools();
  const select_ = useCallback(
    (path: string) => void navigate({ search: (before) => ({ ...before, select: path }), replace: true }),
    [navigate],
  );
  const move = useCallback(
    (to: number | undefined) => void navigate({ search: (before) => ({ ...before, at: to }), replace: true }),
    [navigate],
  );
  if (phase === 'refused')
    return (
      <Page title={t('run.title')}>
        <p role="alert">{problem}</p>
        <Link to="/runs">{t('run.toRuns')}</Link>
      </Page>
    );
  if (!history || lastSeq === 0)
    return (
      <Page title={t('run.title')}>
        <p role="status">{problem === undefined ? t('state.loading') : t('run.notHereYet')}</p>
      </Page>
    );
  const seq = Math.min(at ?? lastSeq, lastSeq);
  // Who holds what is known of now alone.
  const work = seq === lastSeq ? asked : undefined;
  const moment = history.runAt(seq);
  const [admitted] = history.events;
  const above = admitted?.type === 'run.admitted' ? admitted.data.parent : undefined;
  const shown = select ?? whatMatters(history, seq);
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
          {phase === 'behind' && (
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
          {at === undefined && moment && (
            <RunActions runId={runId} status={moment.status} canRetry={history.hasFailuresThatWait} />
          )}
        </>
      }
    >
      <div className={`${css.panes} ${at === undefined ? '' : css.recorded}`}>
        <RunGraph history={history} seq={seq} work={work} tools={tools} selected={shown} onSelect={select_} />
        <RunTimeline history={history} seq={seq} work={work} selected={shown} onSelect={select_} />
        <Scrubber last={lastSeq} at={at} onMove={move} />
        <RunDetail
          key={shown}
          runId={runId}
          feed={feed}
          history={history}
          seq={seq}
          work={work}
          path={shown}
          tools={tools}
          onSelect={select_}
        />
      </div>
    </Page>
  );
}

/** What a person should see first: what failed, else what is in doubt or waits for them, else the first node. */
function whatMatters(history: RunHistory, seq: number): string {
  let asks: string | undefined;
  for (const path of history.nodeRuns.keys()) {
    const moment = history.nodeRunAt(path, seq);
    if (moment?.status === 'failed') return path;
    if (moment?.status === 'uncertain' || moment?.question !== undefined) asks ??= path;
  }
  return asks ?? history.graph.document.nodes[0]!.id;
}

/** The tools that workers offer, by `<name>@<version>`. */
function useTools() {
  const { data } = useQuery(toolsQuery);
  return useMemo(() => new Map(data?.items.map((tool) => [toolRef(tool), tool])), [data]);
}

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { toolsQuery } from '../../api/tools.ts';
import { toolRef } from '../../tools/tool-ref.ts';
import { Page } from '../../ui/page.tsx';
import { RunPage } from './run-page.tsx';
import { useFeed, useFeedState } from './use-feed.ts';

/** One run, as soon as something of it is here. */
export function RunScreen() {
  const { t } = useTranslation();
  const { runId } = useParams({ from: '/runs/$runId' });
  const feed = useFeed(runId);
  const state = useFeedState(feed);
  const tools = useTools();
  const { phase, history, lastSeq, problem } = state;
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
  return <RunPage key={runId} runId={runId} feed={feed} state={{ ...state, history }} tools={tools} />;
}

/** The tools that workers offer, by `<name>@<version>`. */
function useTools() {
  const { data } = useQuery(toolsQuery);
  return useMemo(() => new Map(data?.items.map((tool) => [toolRef(tool), tool])), [data]);
}

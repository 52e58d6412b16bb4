import type { InfiniteData } from '@tanstack/react-query';
import { api, queryClient } from '../api/client.ts';
import { type RunFilters, readRunFilters } from '../app/addresses.ts';
import { recentNews } from '../runs/recent-news.ts';
import { type RunPage, withRunNews } from '../runs/run-news.ts';
import { atMostEvery } from './at-most-every.ts';
import { watchAttention } from './attention.ts';
import { WorkspaceFeed } from './workspace-feed.ts';

/** Milliseconds between two readings of everything, and of the inbox while runs change. */
const AGAIN_MS = 2_000;
const INBOX_MS = 1_000;

/**
 * Keeps what is on screen of runs and inbox as the engine tells it.
 *
 * @returns how to stop that
 */
export function startWorkspaceFeed(): () => void {
  const readAgain = atMostEvery(AGAIN_MS, () => {
    void queryClient.invalidateQueries({ queryKey: ['runs', 'list'] });
    void queryClient.invalidateQueries({ queryKey: ['inbox'] });
  });
  const readInbox = atMostEvery(INBOX_MS, () => {
    void queryClient.invalidateQueries({ queryKey: ['inbox', 'list'] });
    void queryClient.invalidateQueries({ queryKey: ['inbox', 'question'] });
  });
  const feed = new WorkspaceFeed(
    api,
    {
      again: readAgain,
      inbox: (inbox) => {
        queryClient.setQueryData(['inbox', 'count'], inbox);
        readInbox();
      },
      runs: (runs) => {
        recentNews.hear(runs);
        for (const query of queryClient.getQueryCache().findAll({ queryKey: ['runs', 'list'] })) {
          const filters: RunFilters = readRunFilters(query.queryKey[2] as Readonly<Record<string, unknown>>);
          queryClient.setQueryData<InfiniteData<RunPage>>(
            query.queryKey,
            (data) => data && { ...data, pages: withRunNews(data.pages, runs, filters) },
          );
          if (filters.failedNode !== undefined) readAgain();
        }
        readInbox();
      },
    },
    { watch: watchAttention },
  );
  feed.start();
  return () => feed.stop();
}

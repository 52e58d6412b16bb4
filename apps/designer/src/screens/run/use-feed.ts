import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { api } from '../../api/client.ts';
import { watchAttention } from '../../live/attention.ts';
import { RunFeed } from '../../run/feed.ts';

/** Follows the run while the component is there. */
export function useFeed(runId: string): RunFeed {
  const [feed, setFeed] = useState(() => new RunFeed(api, runId));
  useEffect(() => {
    const next = new RunFeed(api, runId, { watch: watchAttention });
    setFeed(next);
    void next.start();
    return () => next.stop();
  }, [runId]);
  return feed;
}

/** How far the feed is; changes with every batch of events. */
export const useFeedState = (feed: RunFeed) => useStore(feed.state);

/** The text that a model is writing at `path` now. */
export const useText = (feed: RunFeed, path: string): string | undefined =>
  useStore(feed.texts, (texts) => texts[path]);

import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { api } from '../../api/client.ts';
import { watchAttention } from '../../live/attention.ts';
import { type FeedState, RunFeed } from '../../run/feed.ts';

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

/** How far the feed is; many events that come at once are one change, and a frame shows at most one. */
export function useFeedState({ state }: RunFeed): FeedState {
  const subscribe = useCallback((call: () => void) => eachFrame(state.subscribe, call), [state]);
  return useSyncExternalStore(subscribe, state.getState);
}

/** Passes calls on in the next frame, and none of those that come until then. */
export function eachFrame(subscribe: (call: () => void) => () => void, call: () => void): () => void {
  let frame: number | undefined;
  const stop = subscribe(() => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      call();
    });
  });
  return () => {
    stop();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}

const NO_TEXTS: RunFeed['texts'] = createStore(() => ({}));

/** The text that a model is writing at `path` now. */
export const useText = (feed: RunFeed | undefined, path: string): string | undefined =>
  useStore(feed?.texts ?? NO_TEXTS, (texts) => texts[path]);

import { useEffect } from 'react';
import type { RunFeed } from '../../../run/feed.ts';
import { marksOf } from '../../../testing/marks.ts';
import { useTestingStore } from '../../../testing/testing.ts';
import { useFeedState } from '../../run/use-feed.ts';

/** Draws how a test stands over the nodes of the draft, at most once a frame. */
export function useMarks(feed: RunFeed): void {
  const testing = useTestingStore();
  const { history, lastSeq } = useFeedState(feed);
  useEffect(() => {
    if (!history || lastSeq === 0) return;
    const frame = requestAnimationFrame(() => testing.getState().set({ marks: marksOf(history) }));
    return () => cancelAnimationFrame(frame);
  }, [history, lastSeq, testing]);
}

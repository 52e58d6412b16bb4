import { isTerminalRun } from '@pawl/dag-core';
import { useEffect } from 'react';
import { queryClient } from '../../../api/client.ts';
import { useFeed, useFeedState } from '../../run/use-feed.ts';
import { TestLog } from './test-log.tsx';
import { TestStrip } from './test-strip.tsx';
import { useMarks } from './use-marks.ts';

/** The test that the canvas shows: how it stands, over the drawing, and its node runs below. */
export function ShownTest({ flow, runId }: { readonly flow: string; readonly runId: string }) {
  const feed = useFeed(runId);
  useMarks(feed);
  const { history, lastSeq } = useFeedState(feed);
  const status = history?.runAt(lastSeq)?.status;
  const isOver = status !== undefined && isTerminalRun(status);
  useEffect(() => {
    // What it gave is what the settings show samples of.
    if (!isOver) return;
    void queryClient.invalidateQueries({ queryKey: ['recent runs', flow] });
    void queryClient.invalidateQueries({ queryKey: ['inspected node run', runId] });
  }, [isOver, flow, runId]);
  return (
    <>
      <TestStrip {...{ flow, runId, feed }} />
      <TestLog runId={runId} feed={feed} />
    </>
  );
}

import { useFeed } from '../../run/use-feed.ts';
import { TestLog } from './test-log.tsx';
import { TestStrip } from './test-strip.tsx';
import { useMarks } from './use-marks.ts';

/** The test that the canvas shows: how it stands, over the drawing, and its node runs below. */
export function ShownTest({ flow, runId }: { readonly flow: string; readonly runId: string }) {
  const feed = useFeed(runId);
  useMarks(feed);
  return (
    <>
      <TestStrip {...{ flow, runId, feed }} />
      <TestLog runId={runId} feed={feed} />
    </>
  );
}

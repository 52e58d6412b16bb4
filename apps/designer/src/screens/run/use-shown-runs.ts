import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { api } from '../../api/client.ts';
import { watchAttention } from '../../live/attention.ts';
import { type Cursor, stopsOf } from '../../run/cursor.ts';
import type { FeedState } from '../../run/feed.ts';
import type { RunHistory } from '../../run/history.ts';
import { everyRun, everySub, type RunView, type ShownRun, showRuns } from '../../run/shown-runs.ts';
import { SubFeeds } from '../../run/sub-feeds.ts';
import { eachFrame } from './use-feed.ts';

/** The run of the page and those of sub-flows in it that are looked at, each followed for as long as it is. */
export function useShownRuns(
  runId: string,
  { history, lastSeq, work }: FeedState & { readonly history: RunHistory },
  view: RunView,
): {
  readonly root: ShownRun;
  readonly stops: readonly Cursor[];
  readonly feeds: SubFeeds;
  readonly isBehind: boolean;
} {
  const [feeds] = useState(() => new SubFeeds(api, { watch: watchAttention }));
  const [subscribe] = useState(() => (call: () => void) => eachFrame(feeds.state.subscribe, call));
  const states = useSyncExternalStore(subscribe, feeds.state.getState);
  // biome-ignore lint/correctness/useExhaustiveDependencies: histories change in place; `lastSeq` and `states` say that they did.
  const { root, now } = useMemo(() => {
    const run = { runId, history, work };
    const known = feeds.stateOf.bind(feeds);
    const shown = showRuns(run, view, known);
    return { root: shown, now: view.cursor ? showRuns(run, { ...view, cursor: undefined }, known) : shown };
  }, [runId, history, lastSeq, work, view, feeds, states]);
  // Also what is looked at now: moving the cursor to before it began lets nothing go.
  useEffect(
    () => feeds.keep([...everySub(root), ...everySub(now)].map(({ ref }) => ref)),
    [feeds, root, now],
  );
  useEffect(() => () => feeds.keep([]), [feeds]);
  const stops = useMemo(() => {
    const others = [...everyRun(root), ...everyRun(now)].map((run) => run.history);
    return stopsOf(
      history,
      [...new Set(others)].filter((other) => other !== history),
    );
  }, [root, now, history]);
  const isBehind = [...states.values()].some(({ phase }) => phase === 'behind');
  return { root, stops, feeds, isBehind };
}

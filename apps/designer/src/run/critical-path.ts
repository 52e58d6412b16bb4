import { type GraphNode, isTerminalNodeRun } from '@pawl/dag-core';
import type { RunHistory } from './history.ts';
import type { ShownRun } from './shown-runs.ts';
import { joinWay } from './ways.ts';

/** From when to when a node run took, epoch milliseconds; `to` is absent while it lasts. */
interface Stretch {
  readonly path: string;
  readonly from: number;
  readonly to?: number | undefined;
  /** It was passed over: what waited for it waited for what that came from. */
  readonly isSkipped: boolean;
}

/**
 * The critical path of a run, as it went up to event `seq`: the node run at the top that ended last, before it the one whose end it
 * waited for, and so on; in the order of time. Who wants the run shorter must make one of these shorter. (Kelley and Walker,
 * "Critical-Path Planning and Scheduling", 1959, on what was measured instead of what is planned.)
 */
export function criticalPath(history: RunHistory, seq: number): readonly Omit<Stretch, 'isSkipped'>[] {
  const path: Stretch[] = [];
  let waitedFor: readonly GraphNode[] = history.graph.root.nodes;
  let until = Number.MAX_VALUE;
  for (;;) {
    const ended = waitedFor.flatMap((node) => {
      const at = stretchOf(history, node.id, seq);
      return at && endOf(at) <= until ? { node, at } : [];
    });
    const ends = new Map(ended.map(({ node, at }) => [node, endOf(at)]));
    // What follows in the same millisecond ended after it.
    const isFollowed = ({ node, at }: (typeof ended)[number]) =>
      node.outbound.some(({ to }) => (ends.get(to) ?? 0) >= endOf(at));
    const [last] = ended.filter((each) => !isFollowed(each)).toSorted(byEnd);
    if (!last) return path.filter(({ isSkipped }) => !isSkipped).reverse();
    path.push(last.at);
    until = last.at.from;
    waitedFor = last.node.inbound.map(({ from }) => from);
  }
}

/** The ways of what is on the critical path of a run, and on those of the sub-flows on it that are read. */
export const criticalWays = ({ history, seq, way, subs }: ShownRun): string[] =>
  criticalPath(history, seq).flatMap(({ path }) => {
    const below = subs.get(path)?.run;
    return [joinWay(way, path), ...(below ? criticalWays(below) : [])];
  });

interface Ended {
  readonly at: Stretch;
}

/** The last first; of those that ended together, what was not passed over, and what took longer. */
const byEnd = ({ at: one }: Ended, { at: other }: Ended): number =>
  endOf(other) - endOf(one) || Number(one.isSkipped) - Number(other.isSkipped) || one.from - other.from;

/** What lasts still ends last. */
const endOf = ({ to }: Stretch): number => to ?? Number.MAX_VALUE;

/** Undefined for what did not begin. Before that it is pending: some of what it waits for has ended, and some has not. */
function stretchOf(history: RunHistory, path: string, seq: number): Stretch | undefined {
  const moments = history.nodeRuns.get(path)?.moments ?? [];
  const first = moments.find(({ status }) => status !== 'pending');
  if (!first || first.seq > seq) return undefined;
  // What is undone later ended when it did what is undone.
  const end = moments.find((moment) => moment.seq <= seq && isTerminalNodeRun(moment.status));
  return { path, from: first.at, to: end?.at, isSkipped: end?.status === 'skipped' };
}

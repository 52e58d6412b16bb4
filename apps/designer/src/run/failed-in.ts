import type { Failure } from '@pawl/dag-core';
import { causeOf } from './cause-of.ts';
import { nameOf } from './name-of.ts';
import type { ShownRun } from './shown-runs.ts';
import { joinWay } from './ways.ts';

/** Where a failure came from. */
export interface FailedIn {
  /** Way of the node run that failed first. */
  readonly way: string;
  /** The node runs that lead to it, from the one that was asked about. */
  readonly names: readonly string[];
  readonly failure: Failure;
  readonly attempt: number;
}

/**
 * The node run inside a container or sub-flow whose failure made that fail, through all sub-flows that are read.
 *
 * @returns undefined for what did not fail because of something inside it
 */
export function failedIn(run: ShownRun, path: string): FailedIn | undefined {
  const { history, seq, subs } = run;
  const cause = causeOf(history, seq, path) ?? path;
  const names =
    cause === path ? [nameOf(history, path)] : [nameOf(history, path), nameOf(history, cause, path)];
  const below = subs.get(cause)?.run;
  const first = below && causeOf(below.history, below.seq);
  if (first === undefined) return cause === path ? undefined : found(run, cause, names);
  const deeper = failedIn(below!, first) ?? found(below!, first, [nameOf(below!.history, first)]);
  return deeper && { ...deeper, names: [...names, ...deeper.names] };
}

function found(
  { history, seq, way }: ShownRun,
  path: string,
  names: readonly string[],
): FailedIn | undefined {
  const event = history.nodeRuns
    .get(path)
    ?.events.findLast((each) => each.type === 'outcome.failed' && each.seq <= seq);
  if (event?.type !== 'outcome.failed') return undefined;
  return { way: joinWay(way, path), names, failure: event.data.failure, attempt: event.attempt };
}

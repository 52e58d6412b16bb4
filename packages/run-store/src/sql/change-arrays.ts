import { isTerminalNodeRun, type JournalEvent, type NodeRunState, type RunState } from '@pawl/dag-core';
import type { Lane } from '../lane.ts';
import { jsonArray, plainArray, textArray } from './array-literal.ts';

/** A node run of a run, to be written. */
export interface NodeRunWrite {
  readonly runId: string;
  readonly row: NodeRunState;
}

/** The thirteen parameters of new node runs (see status-door.ts). */
export function newNodeRunArrays(writes: readonly NodeRunWrite[]): string[] {
  return [
    plainArray(writes.map((write) => write.runId)),
    textArray(writes.map(({ row }) => row.path)),
    textArray(writes.map(({ row }) => row.nodeId)),
    plainArray(writes.map(({ row }) => row.kind)),
    plainArray(writes.map(({ row }) => row.status)),
    plainArray(writes.map(({ row }) => row.attempt)),
    plainArray(writes.map(({ row }) => row.workerId)),
    plainArray(writes.map(({ row }) => row.pendingEdges)),
    plainArray(writes.map(({ row }) => row.liveEdges)),
    plainArray(writes.map(({ row }) => row.outputSeq)),
    plainArray(writes.map(({ row }) => isTerminalNodeRun(row.status))),
    jsonArray(writes.map(({ row }) => rareColumns(row))),
    jsonArray(writes.map(({ row }) => row.failure)),
  ];
}

/** Columns that most node runs leave empty travel as one JSON object, or as NULL. */
function rareColumns(row: NodeRunState): object | undefined {
  let rare: Record<string, unknown> | undefined;
  const set = (name: string, value: unknown) => {
    rare ??= {};
    rare[name] = value;
  };
  if (row.failures > 0) set('failures', row.failures);
  if (row.losses !== undefined) set('losses', row.losses);
  if (row.deadEdges.length > 0) set('deadEdges', row.deadEdges);
  if (row.openCount !== undefined) set('openCount', row.openCount);
  if (row.itemIndex !== undefined) set('itemIndex', row.itemIndex);
  if (row.itemCount !== undefined) set('itemCount', row.itemCount);
  if (row.nextItem !== undefined) set('nextItem', row.nextItem);
  if (row.doneItems !== undefined) set('doneItems', row.doneItems);
  if (row.failedItems !== undefined) set('failedItems', row.failedItems);
  if (row.wakeAt !== undefined) set('wakeAt', row.wakeAt);
  if (row.waitKey !== undefined) set('waitKey', row.waitKey);
  if (row.reason !== undefined) set('reason', row.reason);
  if (row.reserved !== undefined) set('reserved', row.reserved);
  if (row.costNanoUsd > 0) set('costNanoUsd', row.costNanoUsd);
  if (row.tokens > 0) set('tokens', row.tokens);
  if (row.pool !== undefined) set('pool', row.pool);
  if (row.more !== undefined) set('more', row.more);
  return rare;
}

/**
 * The two parameters of what effects have and nothing else has, for the same node runs in the same order: too common to be rare.
 * Each member that is read from a JSON object costs a pass over it.
 */
export function effectArrays(writes: readonly NodeRunWrite[]): string[] {
  return [
    plainArray(writes.map(({ row }) => row.effect)),
    plainArray(writes.map(({ row }) => row.intentSeq)),
  ];
}

/** A node run that exists, to be written over the state it was read in. */
export interface NodeRunChange extends NodeRunWrite {
  readonly before: NodeRunState;
}

/** The thirteen parameters of changed node runs. */
export function changedNodeRunArrays(changes: readonly NodeRunChange[]): string[] {
  return [
    plainArray(changes.map((change) => change.runId)),
    textArray(changes.map(({ row }) => row.path)),
    plainArray(changes.map(({ before }) => before.status)),
    plainArray(changes.map(({ before }) => before.attempt)),
    plainArray(changes.map(({ row }) => row.status)),
    plainArray(changes.map(({ row }) => row.attempt)),
    plainArray(changes.map(({ row }) => row.workerId)),
    plainArray(changes.map(({ row }) => row.pendingEdges)),
    plainArray(changes.map(({ row }) => row.liveEdges)),
    plainArray(changes.map(({ row }) => row.outputSeq)),
    plainArray(changes.map(({ row }) => isTerminalNodeRun(row.status))),
    jsonArray(changes.map(({ row }) => rareColumns(row))),
    jsonArray(changes.map(({ row }) => row.failure)),
  ];
}

/** A run, to be written over the sequence number it was locked at. */
export interface RunChange {
  readonly runId: string;
  readonly fromSeq: number;
  readonly run: RunState;
  readonly isBudgetChanged: boolean;
}

/** The fifteen parameters of changed runs. */
export function runArrays(changes: readonly RunChange[]): string[] {
  const runs = changes.map((change) => change.run);
  return [
    plainArray(changes.map((change) => change.runId)),
    plainArray(changes.map((change) => change.fromSeq)),
    plainArray(runs.map((run) => run.status)),
    plainArray(runs.map((run) => run.nextSeq)),
    plainArray(runs.map((run) => run.openCount)),
    plainArray(runs.map((run) => run.activeCount)),
    plainArray(runs.map((run) => run.outputSeq)),
    plainArray(runs.map((run) => run.reserved.costNanoUsd)),
    plainArray(runs.map((run) => run.reserved.tokens)),
    plainArray(runs.map((run) => run.reserved.modelCalls)),
    plainArray(runs.map((run) => run.spent.costNanoUsd)),
    plainArray(runs.map((run) => run.spent.tokens)),
    plainArray(runs.map((run) => run.spent.modelCalls)),
    jsonArray(
      changes.map(({ run, isBudgetChanged }) =>
        run.isPartial || isBudgetChanged || run.more
          ? {
              ...(run.isPartial && { degraded: run.degraded }),
              ...(isBudgetChanged && { limits: run.limits }),
              ...(run.more && { more: run.more }),
            }
          : undefined,
      ),
    ),
    jsonArray(runs.map((run) => run.failure)),
  ];
}

/** An event with its place, to be written. */
export interface EventWrite {
  readonly runId: string;
  readonly seq: number;
  readonly event: JournalEvent;
}

/** The six parameters of events. */
export function eventArrays(writes: readonly EventWrite[]): string[] {
  return [
    plainArray(writes.map((write) => write.runId)),
    plainArray(writes.map((write) => write.seq)),
    plainArray(writes.map((write) => write.event.type)),
    textArray(writes.map((write) => write.event.path)),
    plainArray(writes.map((write) => write.event.attempt)),
    jsonArray(writes.map((write) => write.event.data)),
  ];
}

/** A doorbell to be written, and the lane it is rung on. */
export interface BellWrite extends Lane {
  readonly runId: string;
  readonly path: string;
}

/** The two parameters that say whom doorbells are for. */
export function doorbellArrays(bells: readonly BellWrite[]): string[] {
  return [plainArray(bells.map((bell) => bell.runId)), textArray(bells.map((bell) => bell.path))];
}

/** The two parameters that say on which lanes they are rung. */
export function laneArrays(bells: readonly BellWrite[]): string[] {
  return [textArray(bells.map((bell) => bell.pool)), plainArray(bells.map((bell) => bell.priority))];
}

import type { Client } from '@pawl/api';
import type { NodeRunStatus } from '@pawl/dag-core';
import type { NodeRunMoment } from './history.ts';

type WorkItem = Awaited<ReturnType<Client['listWork']>>['items'][number];

/** Which node runs of a run workers held when the server was asked. */
export interface Work {
  /** The last event that was here before it was asked: what came later is newer than the answer. */
  readonly asOf: number;
  readonly byPath: ReadonlyMap<string, WorkItem>;
}

/** `unheld`: by the journal it runs, but no worker holds it: its lease is over and nobody has taken it over yet. */
export type ShownStatus = NodeRunStatus | 'unheld';

/**
 * How a node run is shown now. The journal does not know who holds it (decision 0004), so `running` is shown only while a lease lives (rule
 * 2 of the designer), and also where a worker holds it and has not said anything yet.
 *
 * @param work undefined: not asked yet
 */
export function shownStatus(
  path: string,
  { status, attempt, seq }: NodeRunMoment,
  work: Work | undefined,
): ShownStatus {
  if (!work || (status !== 'running' && status !== 'ready')) return status;
  const held = work.byPath.get(path);
  if (status === 'ready') return held?.isAlive && held.attempt > attempt ? 'running' : 'ready';
  if (seq > work.asOf) return 'running';
  return held?.isAlive && held.attempt === attempt ? 'running' : 'unheld';
}

/** Milliseconds until the first of the leases is over; infinite when there is none that lives. */
export const leaseLeftMs = ({ byPath }: Work): number =>
  Math.min(
    ...[...byPath.values()].map(({ isAlive, leftMs }) => (isAlive ? leftMs : Number.POSITIVE_INFINITY)),
  );

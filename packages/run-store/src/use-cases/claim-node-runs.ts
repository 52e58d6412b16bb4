import type { RecordedEvent } from '@pawl/dag-core';
import { type HotPool, runStatement } from '../hot-pool.ts';
import { plainArray, textArray } from '../sql/array-literal.ts';
import type { NodeRunKey } from '../sql/load-node-runs.ts';
import { claimNodeRuns as statement } from '../sql/status-door.ts';
import type { NodeRunHandle } from './decide-entries.ts';

/** A node run that is the worker's now, and what it needs to know of its run. The path is empty when the run's end is due. */
export interface ClaimedNodeRun extends NodeRunHandle {
  readonly runId: string;
  readonly workspaceId: string;
  readonly versionId: string;
  /** Of the run; 2 means that nothing but its admission has happened. */
  readonly nextSeq: number;
  /** With the first node run of each run whose input was asked for. */
  readonly admitted?: Extract<RecordedEvent, { type: 'run.admitted' }>['data'];
  readonly admittedAt?: number;
}

type Row = { [K in keyof ClaimedNodeRun]: ClaimedNodeRun[K] | null };

/**
 * Claims ready node runs for a worker; those that are not ready any more are left out.
 *
 * @param inputsOf runs whose first event the worker does not have yet
 */
export async function claimNodeRuns(
  pool: HotPool,
  workerId: string,
  keys: readonly NodeRunKey[],
  inputsOf: readonly string[],
): Promise<ClaimedNodeRun[]> {
  const rows = await runStatement<Row>(pool, statement, [
    plainArray(keys.map((key) => key.runId)),
    textArray(keys.map((key) => key.path)),
    workerId,
    plainArray(inputsOf),
  ]);
  return rows.map((row) => {
    for (const key of Object.keys(row) as (keyof Row)[])
      if (row[key] === null) delete (row as Partial<Row>)[key];
    return row as ClaimedNodeRun;
  });
}

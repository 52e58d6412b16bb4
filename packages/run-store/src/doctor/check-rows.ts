import type { FlowGraph } from '@pawl/dag-core';
import type { Pool, PoolClient } from 'pg';
import { inSnapshot } from '../plain-transaction.ts';
import type { RowDifference } from './compare-with-fold.ts';
import { differencesOf, foldStoredRun } from './fold-stored-run.ts';

/** What a check of rows against journals found. `differences` stops at 100. */
export interface RowCheck {
  readonly checkedRuns: number;
  readonly checkedNodeRuns: number;
  readonly differences: readonly RowDifference[];
}

const RUNS_AT_ONCE = 100;
const MOST_DIFFERENCES = 100;

/**
 * Folds the journals of runs and compares the outcome with their rows (V12). Each run is read in one snapshot, so the check
 * may run beside work in progress.
 *
 * @param runIds absent: every run, oldest first
 */
export async function checkRowsEqualFold(pool: Pool, runIds?: readonly string[]): Promise<RowCheck> {
  const graphs = new Map<string, FlowGraph>();
  const differences: RowDifference[] = [];
  let checkedRuns = 0;
  let checkedNodeRuns = 0;
  for await (const batch of runIdsInBatches(pool, runIds)) {
    for (const runId of batch) {
      const found = await inSnapshot(pool, (client) => checkRun(client, runId, graphs));
      if (!found) continue;
      checkedRuns += 1;
      checkedNodeRuns += found.nodeRuns;
      differences.push(...found.differences);
      if (differences.length >= MOST_DIFFERENCES) {
        return { checkedRuns, checkedNodeRuns, differences: differences.slice(0, MOST_DIFFERENCES) };
      }
    }
  }
  return { checkedRuns, checkedNodeRuns, differences };
}

/** Ids of runs, oldest first, a hundred at a time; of all of them when none are named. */
export async function* runIdsInBatches(
  pool: Pool,
  runIds: readonly string[] | undefined,
): AsyncGenerator<readonly string[]> {
  if (runIds) {
    yield runIds;
    return;
  }
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await pool.query<{ id: string }>(
      'select id from run where id > $1 order by id limit $2',
      [after, RUNS_AT_ONCE],
    );
    if (rows.length === 0) return;
    yield rows.map((row) => row.id);
    after = rows.at(-1)!.id;
  }
}

async function checkRun(
  client: PoolClient,
  runId: string,
  graphs: Map<string, FlowGraph>,
): Promise<{ nodeRuns: number; differences: RowDifference[] } | undefined> {
  const found = await foldStoredRun(client, runId, graphs);
  return found && { nodeRuns: found.rows.length, differences: differencesOf(found) };
}

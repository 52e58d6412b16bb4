import type { FlowGraph } from '@pawl/dag-core';
import type { Pool, PoolClient } from 'pg';
import { runStatement } from '../hot-pool.ts';
import { inPlainTransaction, inSnapshot } from '../plain-transaction.ts';
import { textArray } from '../sql/array-literal.ts';
import {
  doorbellArrays,
  effectArrays,
  eventArrays,
  laneArrays,
  newNodeRunArrays,
  runArrays,
} from '../sql/change-arrays.ts';
import { lockRuns } from '../sql/lock-runs.ts';
import { rebuildRows } from '../sql/status-door.ts';
import { sayWords } from '../sql/words.ts';
import { runIdsInBatches } from './check-rows.ts';
import type { RowDifference } from './compare-with-fold.ts';
import { decideRepair, type RepairDecision } from './decide-repair.ts';
import { differencesOf, foldStoredRun } from './fold-stored-run.ts';

/** What became of a run whose rows differed from its journal. */
export interface RunRepair {
  readonly runId: string;
  /** What the rows said before, and what they say now. */
  readonly differences: readonly RowDifference[];
  /** Why nothing was written; absent: the rows are the fold of the journal again. */
  readonly refused?: string;
  /** Node runs whose attempt counts as lost, because nobody can know who held it. */
  readonly lost: readonly string[];
  /** Node runs that are to be done now and whose doorbells were rung. */
  readonly rung: readonly string[];
}

/**
 * Writes the rows of runs anew where they differ from their journals (V12), each run under its lock and in one transaction, which
 * is rolled back when the rows do not equal the fold afterwards. May run beside engines and workers; runs without differences
 * are only read. Nothing is written where the journal itself is damaged.
 *
 * @param runIds absent: every run, oldest first
 */
export async function* repairRows(pool: Pool, runIds?: readonly string[]): AsyncGenerator<RunRepair> {
  const graphs = new Map<string, FlowGraph>();
  for await (const batch of runIdsInBatches(pool, runIds))
    for (const runId of batch) {
      const looked = await inSnapshot(pool, (client) => foldStoredRun(client, runId, graphs));
      if (!looked || differencesOf(looked).length === 0) continue;
      const repair = await inPlainTransaction(pool, (client) => repairRun(client, runId, graphs));
      if (repair) yield repair;
    }
}

/** Undefined when there is nothing to repair any more. */
async function repairRun(
  client: PoolClient,
  runId: string,
  graphs: Map<string, FlowGraph>,
): Promise<RunRepair | undefined> {
  const locked = (await lockRuns(client, [runId])).get(runId);
  const found = locked && (await foldStoredRun(client, runId, graphs));
  const differences = found ? differencesOf(found) : [];
  if (!found || differences.length === 0) return undefined;
  const decision = decideRepair(found, locked!.nowMs);
  if ('refused' in decision) return refused(runId, differences, decision.refused);
  await write(client, runId, decision);
  await assertRepaired(client, runId, graphs);
  return {
    runId,
    differences,
    lost: decision.events.flatMap((event) => (event.type === 'attempt.lost' ? [event.path] : [])),
    rung: decision.bells.map(({ path }) => path),
  };
}

const refused = (runId: string, differences: readonly RowDifference[], why: string): RunRepair => ({
  runId,
  differences,
  refused: `Run ${runId} was not repaired: ${why}. Restore its journal from a backup.`,
  lost: [],
  rung: [],
});

async function write(
  client: PoolClient,
  runId: string,
  { view, fromSeq, events, rewritten, removed, bells, words }: RepairDecision,
): Promise<void> {
  const rows = rewritten.map((path) => ({ runId, row: view.rows.get(path)! }));
  await runStatement(client, rebuildRows, [
    ...newNodeRunArrays(rows),
    ...eventArrays(events.map((event, i) => ({ runId, seq: fromSeq + i, event }))),
    ...doorbellArrays(bells),
    ...runArrays([{ runId, fromSeq, run: view.run, isBudgetChanged: true }]),
    textArray([...removed]),
    ...laneArrays(bells),
    ...effectArrays(rows),
  ]);
  if (words.length > 0) await sayWords(client, words);
}

/** @throws {Error} so that the transaction is rolled back: a repair that did not repair is a defect */
async function assertRepaired(
  client: PoolClient,
  runId: string,
  graphs: Map<string, FlowGraph>,
): Promise<void> {
  const after = await foldStoredRun(client, runId, graphs);
  const left = after ? differencesOf(after) : [];
  if (left.length > 0)
    throw new Error(
      `Run ${runId} could not be repaired: ${left[0]!.fact} of ${left[0]!.path || 'the run'} still differs`,
    );
}

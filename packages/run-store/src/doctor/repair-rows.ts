import { type Decider, type FlowGraph, isTerminalRun, mayStart, mayStartWork } from '@pawl/dag-core';
import type { Pool, PoolClient } from 'pg';
import { runStatement } from '../hot-pool.ts';
import { inPlainTransaction, inSnapshot } from '../plain-transaction.ts';
import { textArray } from '../sql/array-literal.ts';
import {
  type BellWrite,
  doorbellArrays,
  eventArrays,
  laneArrays,
  newNodeRunArrays,
  runArrays,
} from '../sql/change-arrays.ts';
import { lockRuns } from '../sql/lock-runs.ts';
import { rebuildRows } from '../sql/status-door.ts';
import { runIdsInBatches } from './check-rows.ts';
import { differencesOfNodeRuns, type RowDifference } from './compare-with-fold.ts';
import { differencesOf, type FoldedRun, foldStoredRun } from './fold-stored-run.ts';
import { layClaimsOver } from './rows-to-write.ts';

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

type Fold = Exclude<FoldedRun['fold'], { problem: string }>;

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
  const { fold } = found;
  if ('problem' in fold) return refused(runId, differences, `its journal cannot be folded: ${fold.problem}`);
  if (found.run.state.nextSeq > fold.run.nextSeq)
    return refused(
      runId,
      differences,
      `its journal ends at event ${fold.run.nextSeq - 1}, and the run has recorded ${found.run.state.nextSeq - 1}: what is missing may have been sent`,
    );
  const fromSeq = fold.run.nextSeq;
  const decider = layClaimsOver(fold, found, locked!.nowMs);
  const bells = bellsOf(runId, fold);
  await write(client, found, { view: fold, decider, fromSeq, bells });
  await assertRepaired(client, runId, graphs);
  return {
    runId,
    differences,
    lost: decider.events.flatMap((event) => (event.type === 'attempt.lost' ? [event.path] : [])),
    rung: bells.map(({ path }) => path),
  };
}

const refused = (runId: string, differences: readonly RowDifference[], why: string): RunRepair => ({
  runId,
  differences,
  refused: `Run ${runId} was not repaired: ${why}. Restore its journal from a backup.`,
  lost: [],
  rung: [],
});

/** V8: what is ready, and an end that is due, have a doorbell; one too many is harmless. */
function bellsOf(runId: string, { run, rows, graph }: Fold): BellWrite[] {
  if (isTerminalRun(run.status) || run.status === 'paused') return [];
  const priority = run.more?.priority;
  const ready = rows.openUnder('').filter((row) => row.status === 'ready' && mayStart(run, row));
  const bells: BellWrite[] = ready.map(({ path, pool }) => ({ runId, path, pool, priority }));
  if (run.openCount === 0 && mayStartWork(run))
    bells.push({ runId, path: '', pool: graph.document.pool, priority });
  return bells;
}

async function write(
  client: PoolClient,
  { run: { id: runId }, rows }: FoldedRun,
  {
    view,
    decider,
    fromSeq,
    bells,
  }: { view: Fold; decider: Decider; fromSeq: number; bells: readonly BellWrite[] },
): Promise<void> {
  const states = rows.map(({ state }) => state);
  const different = new Set(differencesOfNodeRuns(runId, states, view.rows.byPath).map(({ path }) => path));
  const known = view.rows.byPath;
  for (const { path, status, workerId } of states) {
    const wanted = known.get(path);
    // A claim is not a difference; one that nobody can end is.
    if (wanted && (wanted.status !== status || wanted.workerId !== workerId)) different.add(path);
  }
  const rebuilt = [...different].map((path) => known.get(path)).filter((row) => row !== undefined);
  const unknown = [...different].filter((path) => !known.has(path));
  await runStatement(client, rebuildRows, [
    ...newNodeRunArrays(rebuilt.map((row) => ({ runId, row }))),
    ...eventArrays(decider.events.map((event, i) => ({ runId, seq: fromSeq + i, event }))),
    ...doorbellArrays(bells),
    ...runArrays([{ runId, fromSeq, run: view.run, isBudgetChanged: true }]),
    textArray(unknown),
    ...laneArrays(bells),
  ]);
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

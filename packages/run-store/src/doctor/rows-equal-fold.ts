import {
  foldJournal,
  isTerminalRun,
  type NodeRunState,
  type RecordedEvent,
  type RunState,
  type RunView,
} from '@pawl/dag-core';
import { GraphCache } from '../graph-cache.ts';
import { type HotClient, type HotPool, inTransaction, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray } from '../sql/array-literal.ts';
import { loadAllNodeRuns } from '../sql/load-node-runs.ts';
import { lockRuns } from '../sql/lock-runs.ts';

// V12: rows of run and node run are the fold of the journal. This rebuilds and compares them, under the run's lock, so that it may
// be asked at any moment. Who works on a node run is owned by the lease columns, so `ready` and `running` are one to the fold.

/** A row that is not what its journal says. */
export interface FoldDifference {
  readonly runId: string;
  /** Empty for the run itself. */
  readonly path: string;
  readonly column: string;
  readonly row: unknown;
  readonly fold: unknown;
}

const journal: Statement = {
  name: 'doctor-journal',
  text: `
select j.seq, j.type, j.path, j.attempt, extract(epoch from j.at)::float8 * 1000 as at, j.data
from journal j where j.run_id = $1 order by j.seq`,
};

/**
 * Compares runs with the fold of their journals.
 *
 * @returns every difference; none when all is well
 */
export async function rowsEqualFold(pool: HotPool, runIds: readonly string[]): Promise<FoldDifference[]> {
  const graphs = new GraphCache(pool);
  const differences: FoldDifference[] = [];
  for (const runId of runIds) {
    differences.push(...(await inTransaction(pool, (client) => compareRun(client, graphs, runId))));
  }
  return differences;
}

const allRuns: Statement = {
  name: 'doctor-runs',
  text: 'select r.id from run r where r.id > $1 order by r.id limit $2',
};

/** Ids of runs after `after`, in order: for checking all of them page by page. */
export async function runIdsAfter(pool: HotPool, after: string, limit: number): Promise<string[]> {
  return (await runStatement<{ id: string }>(pool, allRuns, [after, limit])).map((row) => row.id);
}

async function compareRun(client: HotClient, graphs: GraphCache, runId: string): Promise<FoldDifference[]> {
  const run = (await lockRuns(client, [runId])).get(runId);
  if (!run) return [{ runId, path: '', column: 'id', row: undefined, fold: runId }];
  const rows = await loadAllNodeRuns(client, runId);
  const events = await runStatement<RecordedEvent>(client, journal, [runId]);
  const graph = await graphs.get(run.workspaceId, run.versionId);
  const differ = (path: string, column: string, row: unknown, fold: unknown): FoldDifference => ({
    runId,
    path,
    column,
    row,
    fold,
  });
  let folded: ReturnType<typeof foldJournal>;
  try {
    folded = foldJournal(graph, events);
  } catch (error) {
    return [differ('', 'journal', (error as Error).message, 'a journal that folds')];
  }
  const differences = compareRunState(run.state, folded).map(([column, row, fold]) =>
    differ('', column, row, fold),
  );
  const byPath = new Map(rows.map((row) => [row.path, row]));
  for (const [path, fold] of folded.rows.byPath) {
    const row = byPath.get(path);
    if (!row) differences.push(differ(path, 'path', undefined, fold.status));
    else
      for (const [column, is, should] of compareNodeRun(row, fold))
        differences.push(differ(path, column, is, should));
  }
  for (const path of byPath.keys())
    if (!folded.rows.byPath.has(path)) differences.push(differ(path, 'path', path, undefined));
  return differences;
}

type Compared = readonly [column: string, row: unknown, fold: unknown];

function compareRunState(row: RunState, { run: fold }: RunView): Compared[] {
  return [
    ['status', row.status, fold.status] as const,
    ['next_seq', row.nextSeq, fold.nextSeq] as const,
    ['open_count', row.openCount, fold.openCount] as const,
    [
      'active_count',
      isTerminalRun(row.status) ? 0 : row.activeCount,
      isTerminalRun(fold.status) ? 0 : fold.activeCount,
    ] as const,
    ['output_seq', row.outputSeq, fold.outputSeq] as const,
    ['is_partial', row.isPartial, fold.isPartial] as const,
    ['degraded', row.degraded, fold.degraded] as const,
    ['failure', row.failure, fold.failure] as const,
    ['limits', row.limits, fold.limits] as const,
    ['reserved', row.reserved, fold.reserved] as const,
    ['spent', row.spent, fold.spent] as const,
  ].filter(([, is, should]) => !same(is, should));
}

function compareNodeRun(row: NodeRunState, fold: NodeRunState): Compared[] {
  const isClaimOnly = fold.status === 'ready' && row.status === 'running';
  const isReleased = row.status === 'ready' && fold.status === 'ready';
  const attempt = isClaimOnly || isReleased ? Math.max(row.attempt, fold.attempt) : fold.attempt;
  return [
    ['status', isClaimOnly ? 'ready' : row.status, fold.status] as const,
    ['attempt', row.attempt, attempt] as const,
    ['failures', row.failures, fold.failures] as const,
    ['effect', row.effect, fold.effect] as const,
    ['pending_edges', row.pendingEdges, fold.pendingEdges] as const,
    ['live_edges', row.liveEdges, fold.liveEdges] as const,
    ['dead_edges', row.deadEdges, fold.deadEdges] as const,
    ['open_count', row.openCount, fold.openCount] as const,
    ['item_index', row.itemIndex, fold.itemIndex] as const,
    ['item_count', row.itemCount, fold.itemCount] as const,
    ['next_item', row.nextItem, fold.nextItem] as const,
    ['done_items', row.doneItems, fold.doneItems] as const,
    ['failed_items', row.failedItems, fold.failedItems] as const,
    ['wake_at', row.wakeAt, fold.wakeAt] as const,
    ['reason', row.reason, fold.reason] as const,
    ['failure', row.failure, fold.failure] as const,
    ['intent_seq', row.intentSeq, fold.intentSeq] as const,
    ['output_seq', row.outputSeq, fold.outputSeq] as const,
    ['reserved', row.reserved, fold.reserved] as const,
    ['cost_nano_usd', row.costNanoUsd, fold.costNanoUsd] as const,
    ['tokens', row.tokens, fold.tokens] as const,
  ].filter(([, is, should]) => !same(is, should));
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

import { compileGraph, type FlowDocument, type FlowGraph, foldJournal } from '@pawl/dag-core';
import type { Pool, PoolClient } from 'pg';
import { differencesOfNodeRuns, differencesOfRun, type RowDifference } from './compare-with-fold.ts';
import { loadBareJournal, loadStoredNodeRuns, loadStoredRuns, type StoredRun } from './load-stored-run.ts';

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
  for await (const batch of batchesOf(pool, runIds)) {
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

async function* batchesOf(
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
  const [run] = await loadStoredRuns(client, [runId]);
  if (!run) return undefined;
  const rows = await loadStoredNodeRuns(client, runId);
  try {
    const graph = await graphOf(client, run, graphs);
    const fold = foldJournal(graph, await loadBareJournal(client, runId));
    const differences = [
      ...differencesOfRun(runId, run.state, fold.run),
      ...differencesOfNodeRuns(runId, rows, fold.rows.byPath),
    ];
    return { nodeRuns: rows.length, differences };
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    const broken = { runId, path: '', fact: 'journal', row: run.state.nextSeq - 1, fold: error.message };
    return { nodeRuns: rows.length, differences: [broken] };
  }
}

function isCorrupt(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'journal_corrupt';
}

async function graphOf(
  client: PoolClient,
  { workspaceId, versionId }: StoredRun,
  graphs: Map<string, FlowGraph>,
): Promise<FlowGraph> {
  const key = `${workspaceId} ${versionId}`;
  const known = graphs.get(key);
  if (known) return known;
  const { rows } = await client.query<{ document: string }>(
    'select document::text as document from flow_version where workspace_id = $1 and id = $2',
    [workspaceId, versionId],
  );
  if (!rows[0]) throw new VersionLostError(versionId);
  const graph = compileGraph(JSON.parse(rows[0].document) as FlowDocument);
  graphs.set(key, graph);
  return graph;
}

/** Reported like a journal that cannot be folded: without its version it cannot. */
class VersionLostError extends Error {
  readonly code = 'journal_corrupt';
  constructor(versionId: string) {
    super(`Version ${versionId} of the run is missing`);
  }
}

async function inSnapshot<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    return await work(client);
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}

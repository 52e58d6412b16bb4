import {
  compileGraph,
  type FlowDocument,
  type FlowGraph,
  foldJournal,
  type RecordedEvent,
} from '@pawl/dag-core';
import type { PoolClient } from 'pg';
import { differencesOfNodeRuns, differencesOfRun, type RowDifference } from './compare-with-fold.ts';
import {
  loadBareJournal,
  loadStoredNodeRuns,
  loadStoredRuns,
  type StoredNodeRun,
  type StoredRun,
} from './load-stored-run.ts';

/** A run as its rows tell it and as its journal does. `problem`: why the journal cannot be folded. */
export interface FoldedRun {
  readonly run: StoredRun;
  readonly rows: readonly StoredNodeRun[];
  readonly fold: ReturnType<typeof foldJournal> | { readonly problem: string };
  /** Who was about to send the newest effect of a node run, by path. */
  readonly senders: ReadonlyMap<string, string>;
}

/**
 * Reads a run and folds its journal; undefined when there is no such run.
 *
 * @param client in a transaction that sees one state of the run: a snapshot, or under the run's lock
 * @param graphs compiled versions, kept between calls
 */
export async function foldStoredRun(
  client: PoolClient,
  runId: string,
  graphs: Map<string, FlowGraph>,
): Promise<FoldedRun | undefined> {
  const [run] = await loadStoredRuns(client, [runId]);
  if (!run) return undefined;
  const rows = await loadStoredNodeRuns(client, runId);
  const journal = await loadBareJournal(client, runId);
  const senders = sendersIn(journal);
  try {
    const graph = await graphOf(client, run, graphs);
    return { run, rows, fold: foldJournal(graph, journal), senders };
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return { run, rows, fold: { problem: error.message }, senders };
  }
}

/** Who was about to send the newest effect of each node run. */
export function sendersIn(journal: readonly RecordedEvent[]): Map<string, string> {
  const senders = new Map<string, string>();
  for (const event of journal)
    if (event.type === 'intent.recorded' && event.data.workerId !== undefined)
      senders.set(event.path, event.data.workerId);
  return senders;
}

/** Every fact that the rows and the journal tell differently (V12). */
export function differencesOf({ run, rows, fold }: FoldedRun): RowDifference[] {
  const { id, state } = run;
  if ('problem' in fold)
    return [{ runId: id, path: '', fact: 'journal', row: state.nextSeq - 1, fold: fold.problem }];
  return [
    ...differencesOfRun(id, state, fold.run),
    ...differencesOfNodeRuns(
      id,
      rows.map(({ state }) => state),
      fold.rows.byPath,
    ),
    ...rows.filter(isHeldByNobody).map(({ state: { path, workerId } }) => ({
      runId: id,
      path,
      fact: 'holder',
      row: workerId ?? null,
      fold: undefined,
    })),
  ];
}

/** A claim that no sweeper would ever end: it finds node runs by the workers that it knows. */
const isHeldByNobody = ({ state, isWorkerKnown }: StoredNodeRun): boolean =>
  state.status === 'running' && !isWorkerKnown;

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

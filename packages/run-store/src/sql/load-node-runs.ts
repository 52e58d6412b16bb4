import {
  type EffectClass,
  type Failure,
  isTerminalNodeRun,
  NODE_RUN_STATUSES,
  type NodeRunMore,
  type NodeRunState,
  type NodeRunStatus,
  type Spend,
} from '@pawl/dag-core';
import { type HotClient, type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';

const COLUMNS = `n.run_id, n.path, n.node_id, n.kind, n.effect, n.status, n.attempt, n.failures, n.losses, n.worker_id, n.pending_edges,
  n.live_edges, n.dead_edges, n.open_count, n.item_index, n.item_count, n.next_item, n.done_items, n.failed_items,
  extract(epoch from n.wake_at)::float8 * 1000 as wake_ms, n.wait_key, n.reason, n.failure, n.intent_seq, n.output_seq, n.reserved,
  n.cost_nano_usd::float8 as cost, n.tokens::float8 as token_count, n.pool, n.more,
  extract(epoch from n.status_at)::float8 * 1000 as since_ms`;

const byPath: Statement = {
  name: 'load-node-runs',
  text: `
select ${COLUMNS}
from unnest($1::uuid[], $2::text[]) as x(run_id, path)
join node_run n on n.run_id = x.run_id and n.path = x.path`,
};

const OPEN = NODE_RUN_STATUSES.filter((status) => !isTerminalNodeRun(status))
  .map((status) => `'${status}'`)
  .join(', ');

const openUnder: Statement = {
  name: 'load-open-node-runs',
  text: `
select ${COLUMNS}
from unnest($1::uuid[], $2::text[], $3::text[]) as x(run_id, low, high)
join node_run n on n.run_id = x.run_id and n.path >= x.low and n.path < x.high
where n.status in (${OPEN})`,
};

const effects: Statement = {
  name: 'load-completed-effects',
  text: `
select ${COLUMNS}
from node_run n
where n.run_id = $1 and ((n.status = 'succeeded' and (n.more->>'compensates')::boolean) or n.more->'toUndo' is not null)`,
};

export interface NodeRunKey {
  readonly runId: string;
  readonly path: string;
}

interface Row {
  run_id: string;
  path: string;
  node_id: string;
  kind: string;
  effect: EffectClass | 'model' | null;
  status: NodeRunStatus;
  attempt: number;
  failures: number;
  losses: number | null;
  worker_id: string | null;
  pending_edges: number;
  live_edges: number;
  dead_edges: string[] | null;
  open_count: number | null;
  item_index: number | null;
  item_count: number | null;
  next_item: number | null;
  done_items: number | null;
  failed_items: number | null;
  wake_ms: number | null;
  wait_key: string | null;
  reason: string | null;
  failure: Failure | null;
  intent_seq: number | null;
  output_seq: number | null;
  reserved: Spend | null;
  cost: number;
  token_count: number;
  pool: string | null;
  more: NodeRunMore | null;
  since_ms: number;
}

export interface LoadedNodeRun {
  readonly runId: string;
  readonly state: NodeRunState;
  /** When it got its status: epoch milliseconds, database clock. Decides nothing. */
  readonly sinceMs: number;
}

/** Node runs by key; those that do not exist are left out. Index: node_run's primary key. */
export async function loadNodeRuns(
  client: HotClient | HotPool,
  keys: readonly NodeRunKey[],
): Promise<LoadedNodeRun[]> {
  const values = [plainArray(keys.map((key) => key.runId)), textArray(keys.map((key) => key.path))];
  return (await runStatement<Row>(client, byPath, values)).map(loaded);
}

/** Every open node run below a path ('' = of the run). Index: node_run's primary key, as a range of paths (collation "C"). */
export async function loadOpenNodeRuns(
  client: HotClient,
  subtrees: readonly NodeRunKey[],
): Promise<LoadedNodeRun[]> {
  const values = [
    plainArray(subtrees.map((subtree) => subtree.runId)),
    textArray(subtrees.map(({ path }) => (path === '' ? '' : `${path}/`))),
    textArray(subtrees.map(({ path }) => (path === '' ? '~' : `${path}0`))), // '0' follows '/', '~' follows every id
  ];
  return (await runStatement<Row>(client, openUnder, values)).map(loaded);
}

/**
 * Completed effects of a run that can be undone, and node runs of sub-flows that hold some; asked for once, when it begins to be
 * undone. Index: node_run's primary key.
 */
export async function loadCompletedEffects(
  client: HotClient | HotPool,
  runId: string,
): Promise<LoadedNodeRun[]> {
  return (await runStatement<Row>(client, effects, [runId])).map(loaded);
}

function loaded(row: Row): LoadedNodeRun {
  const state: NodeRunState = {
    path: row.path,
    nodeId: row.node_id,
    kind: row.kind,
    status: row.status,
    attempt: row.attempt,
    failures: row.failures,
    losses: row.losses ?? undefined,
    pendingEdges: row.pending_edges,
    liveEdges: row.live_edges,
    deadEdges: row.dead_edges ?? [],
    costNanoUsd: row.cost,
    tokens: row.token_count,
    effect: row.effect ?? undefined,
    workerId: row.worker_id ?? undefined,
    openCount: row.open_count ?? undefined,
    itemIndex: row.item_index ?? undefined,
    itemCount: row.item_count ?? undefined,
    nextItem: row.next_item ?? undefined,
    doneItems: row.done_items ?? undefined,
    failedItems: row.failed_items ?? undefined,
    wakeAt: row.wake_ms ?? undefined,
    waitKey: row.wait_key ?? undefined,
    reason: row.reason ?? undefined,
    failure: row.failure ?? undefined,
    intentSeq: row.intent_seq ?? undefined,
    outputSeq: row.output_seq ?? undefined,
    reserved: row.reserved ?? undefined,
    pool: row.pool ?? undefined,
    more: row.more ?? undefined,
  };
  return { runId: row.run_id, state, sinceMs: row.since_ms };
}

import type {
  Degraded,
  Failure,
  JournalEvent,
  NodeRunMore,
  NodeRunState,
  RecordedEvent,
  RunMore,
  RunState,
  Spend,
} from '@pawl/dag-core';
import type { PoolClient } from 'pg';

/** A run as its row says, with what is needed to fold its journal. */
export interface StoredRun {
  readonly id: string;
  readonly workspaceId: string;
  readonly versionId: string;
  readonly state: RunState;
}

/** Runs by id, oldest first. Relies on run's primary key. */
export async function loadStoredRuns(client: PoolClient, runIds: readonly string[]): Promise<StoredRun[]> {
  const { rows } = await client.query(
    `select id, workspace_id, version_id, status, next_seq, open_count, active_count, output_seq, failure::text as failure,
       degraded::text as degraded, is_partial, budget_limits::text as limits,
       reserved_cost_nano_usd::float8 as reserved_cost, reserved_tokens::float8 as reserved_tokens, reserved_model_calls,
       spent_cost_nano_usd::float8 as spent_cost, spent_tokens::float8 as spent_tokens, spent_model_calls, more::text as more
     from run
     where id = any ($1::uuid[])
     order by id`,
    [runIds],
  );
  return rows.map((row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    versionId: row.version_id,
    state: {
      status: row.status,
      nextSeq: row.next_seq,
      openCount: row.open_count,
      activeCount: row.active_count,
      ...present('failure', parsed<Failure>(row.failure)),
      degraded: parsed<Degraded[]>(row.degraded) ?? [],
      isPartial: row.is_partial,
      limits: JSON.parse(row.limits),
      reserved: spend(row.reserved_cost, row.reserved_tokens, row.reserved_model_calls),
      spent: spend(row.spent_cost, row.spent_tokens, row.spent_model_calls),
      ...present('outputSeq', row.output_seq),
      ...present('more', parsed<RunMore>(row.more)),
    },
  }));
}

/** A node run as its row says. `isWorkerKnown`: the worker it names is one that sweepers look after. */
export interface StoredNodeRun {
  readonly state: NodeRunState;
  readonly isWorkerKnown: boolean;
}

/** Every node run of a run, by path. Relies on the primary keys of node_run and worker. */
export async function loadStoredNodeRuns(client: PoolClient, runId: string): Promise<StoredNodeRun[]> {
  const { rows } = await client.query(
    `select path, node_id, kind, effect, status, attempt, failures, losses, worker_id, pending_edges, live_edges,
       dead_edges::text as dead_edges, open_count, item_index, item_count, next_item, done_items, failed_items,
       extract(epoch from wake_at)::float8 * 1000 as wake_at, wait_key, reason, failure::text as failure, intent_seq,
       output_seq, reserved::text as reserved, cost_nano_usd::float8 as cost, tokens::float8 as tokens, pool, more::text as more,
       exists (select from worker w where w.id = worker_id) as is_worker_known
     from node_run
     where run_id = $1
     order by path`,
    [runId],
  );
  return rows.map((row) => ({
    isWorkerKnown: row.is_worker_known,
    state: {
      path: row.path,
      nodeId: row.node_id,
      kind: row.kind,
      status: row.status,
      attempt: row.attempt,
      failures: row.failures,
      pendingEdges: row.pending_edges,
      liveEdges: row.live_edges,
      deadEdges: parsed<string[]>(row.dead_edges) ?? [],
      costNanoUsd: row.cost,
      tokens: row.tokens,
      ...present('losses', row.losses),
      ...present('effect', row.effect),
      ...present('workerId', row.worker_id),
      ...present('openCount', row.open_count),
      ...present('itemIndex', row.item_index),
      ...present('itemCount', row.item_count),
      ...present('nextItem', row.next_item),
      ...present('doneItems', row.done_items),
      ...present('failedItems', row.failed_items),
      ...present('wakeAt', row.wake_at),
      ...present('waitKey', row.wait_key),
      ...present('reason', row.reason),
      ...present('failure', parsed<Failure>(row.failure)),
      ...present('intentSeq', row.intent_seq),
      ...present('outputSeq', row.output_seq),
      ...present('reserved', parsed<Spend>(row.reserved)),
      ...present('pool', row.pool),
      ...present('more', parsed<NodeRunMore>(row.more)),
    },
  }));
}

const EVENTS_AT_ONCE = 1_000;

/** The journal of a run without its payloads, which no fold looks at; so a long journal of large values fits in memory. */
export async function loadBareJournal(client: PoolClient, runId: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const { rows } = await client.query(
      `select seq, type, path, attempt, extract(epoch from at)::float8 * 1000 as at, data::text as data
       from journal
       where run_id = $1 and seq > $2
       order by seq
       limit $3`,
      [runId, events.at(-1)?.seq ?? 0, EVENTS_AT_ONCE],
    );
    for (const row of rows) events.push({ ...row, data: withoutPayload(JSON.parse(row.data)) });
    if (rows.length < EVENTS_AT_ONCE) return events;
  }
}

function withoutPayload(data: Record<string, unknown>): JournalEvent['data'] {
  const { input: _input, output: _output, request: _request, fallback: _fallback, ...rest } = data;
  const { answer } = rest as { answer?: { text?: string } };
  if (answer) rest.answer = { ...answer, text: '', toolCalls: [] };
  return rest as unknown as JournalEvent['data'];
}

function spend(costNanoUsd: number, tokens: number, modelCalls: number): Spend {
  return { costNanoUsd, tokens, modelCalls };
}

function present<K extends string, V>(key: K, value: V | null | undefined): { [key in K]?: V } {
  return value == null ? {} : ({ [key]: value } as { [key in K]?: V });
}

function parsed<T>(text: string | null): T | undefined {
  return text === null ? undefined : (JSON.parse(text) as T);
}

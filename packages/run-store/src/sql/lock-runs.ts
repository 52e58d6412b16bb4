import type { BudgetLimits, Degraded, Failure, RunMore, RunState, RunStatus } from '@pawl/dag-core';
import { type HotClient, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray } from './array-literal.ts';

/** A run row under its lock. */
export interface LockedRun {
  readonly id: string;
  readonly workspaceId: string;
  readonly versionId: string;
  readonly state: RunState;
  /** Database clock, epoch milliseconds. */
  readonly nowMs: number;
  /** When it was admitted, by the same clock. Decides nothing. */
  readonly createdAtMs: number;
}

const statement: Statement = {
  name: 'lock-runs',
  text: `
select r.id, r.workspace_id, r.version_id, r.status, r.next_seq, r.open_count, r.active_count, r.output_seq, r.failure,
  r.degraded, r.is_partial, r.budget_limits,
  r.reserved_cost_nano_usd::float8 as reserved_cost, r.reserved_tokens::float8 as reserved_tokens, r.reserved_model_calls,
  r.spent_cost_nano_usd::float8 as spent_cost, r.spent_tokens::float8 as spent_tokens, r.spent_model_calls, r.more,
  extract(epoch from clock_timestamp())::float8 * 1000 as now_ms, extract(epoch from r.created_at)::float8 * 1000 as created_ms
from unnest($1::uuid[]) as x(id) join run r on r.id = x.id
order by r.id
for no key update of r`,
};

interface Row {
  id: string;
  workspace_id: string;
  version_id: string;
  status: RunStatus;
  next_seq: number;
  open_count: number;
  active_count: number;
  output_seq: number | null;
  failure: Failure | null;
  degraded: Degraded[] | null;
  is_partial: boolean;
  budget_limits: BudgetLimits;
  reserved_cost: number;
  reserved_tokens: number;
  reserved_model_calls: number;
  spent_cost: number;
  spent_tokens: number;
  spent_model_calls: number;
  more: RunMore | null;
  now_ms: number;
  created_ms: number;
}

/**
 * Locks runs in id order, so that writers of one run are serial and batches never deadlock.
 * Parameters: run ids, distinct. Index: run's primary key.
 */
export async function lockRuns(
  client: HotClient,
  runIds: readonly string[],
): Promise<Map<string, LockedRun>> {
  const rows = await runStatement<Row>(client, statement, [plainArray(runIds)]);
  return new Map(rows.map((row) => [row.id, lockedRun(row)]));
}

function lockedRun(row: Row): LockedRun {
  const state: RunState = {
    status: row.status,
    nextSeq: row.next_seq,
    openCount: row.open_count,
    activeCount: row.active_count,
    ...(row.failure && { failure: row.failure }),
    degraded: row.degraded ?? [],
    isPartial: row.is_partial,
    limits: row.budget_limits,
    reserved: {
      costNanoUsd: row.reserved_cost,
      tokens: row.reserved_tokens,
      modelCalls: row.reserved_model_calls,
    },
    spent: { costNanoUsd: row.spent_cost, tokens: row.spent_tokens, modelCalls: row.spent_model_calls },
    ...(row.output_seq !== null && { outputSeq: row.output_seq }),
    ...(row.more && { more: row.more }),
  };
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    versionId: row.version_id,
    state,
    nowMs: Math.floor(row.now_ms),
    createdAtMs: row.created_ms,
  };
}

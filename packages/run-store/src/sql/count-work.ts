import type { RunStatus } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

const statement: Statement = {
  name: 'count-work',
  text: `
select (select count(*)::int from outbox where id > 0) as outbox,
  (select extract(epoch from now() - created_at)::float8 from outbox where id > 0 order by id limit 1) as "outboxSeconds",
  ready.ready, ready.seconds as "readySeconds",
  (select count(*)::int from node_run where status = 'running') as running,
  (select count(*)::int from node_run where status in ('retry_wait', 'waiting') and wake_at is not null) as "retryWait",
  unsettled.uncertain, unsettled.blocked,
  (select coalesce(json_object_agg(status, runs), '{}') from (
    select status, count(*)::int as runs from run
    where status in ('pending', 'running', 'waiting', 'paused', 'cancelling', 'compensating')
    group by status) o) as runs,
  workers.workers, workers.seconds as "leaseSeconds"
from (
  select count(*)::int as ready, extract(epoch from now() - min(status_at))::float8 as seconds
  from node_run where status = 'ready') ready,
(select count(*) filter (where status = 'uncertain')::int as uncertain, count(*) filter (where status = 'blocked')::int as blocked
  from node_run where status in ('uncertain', 'blocked')) unsettled,
(select count(*)::int as workers, extract(epoch from min(lease_until) - now())::float8 as seconds
  from worker where id >= '00000000-0000-0000-0000-000000000000' and stopped_at is null and lease_until > now()) workers`,
};

/** How much there is of what is open, and how long the oldest of it waits, in seconds; for metrics. */
export interface WorkCount {
  readonly outbox: number;
  /** Age of the oldest doorbell that the queue has not taken; null when there is none. */
  readonly outboxSeconds: number | null;
  readonly ready: number;
  /** How long the oldest ready node run waits; null when there is none. */
  readonly readySeconds: number | null;
  readonly running: number;
  readonly retryWait: number;
  readonly uncertain: number;
  readonly blocked: number;
  /** Runs that have not ended, by status. */
  readonly runs: Readonly<Partial<Record<RunStatus, number>>>;
  readonly workers: number;
  /** What is left of the lease that ends next; null when no worker lives. */
  readonly leaseSeconds: number | null;
}

/**
 * Counts open work, and nothing but open work.
 * Indexes: node_run_ready, node_run_running, node_run_due, node_run_unsettled, run_open, primary keys.
 */
export async function countWork(pool: HotPool): Promise<WorkCount> {
  const [row] = await runStatement<WorkCount>(pool, statement, []);
  return row!;
}

import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

const statement: Statement = {
  name: 'count-work',
  text: `
select (select count(*)::int from outbox where id > 0) as outbox,
  (select count(*)::int from node_run where status = 'ready') as ready,
  (select count(*)::int from node_run where status = 'running') as running,
  (select count(*)::int from node_run where status in ('retry_wait', 'waiting') and wake_at is not null) as "retryWait",
  (select count(*)::int from run r
    cross join lateral (select 1 from node_run n where n.run_id = r.id and n.status = 'uncertain' offset 0) n
    where r.status in ('pending', 'running', 'waiting', 'paused', 'cancelling', 'compensating')) as uncertain,
  (select count(*)::int from worker where id >= '00000000-0000-0000-0000-000000000000'
    and stopped_at is null and lease_until > now()) as workers`,
};

/** How much there is of what is open; for metrics. */
interface WorkCount {
  readonly outbox: number;
  readonly ready: number;
  readonly running: number;
  readonly retryWait: number;
  readonly uncertain: number;
  readonly workers: number;
}

/**
 * Counts open work. Uncertain node runs are looked up run by run (`offset 0`): a join was planned as a walk over all node runs.
 * Indexes: node_run_ready, node_run_running, node_run_due, run_open, primary keys.
 */
export async function countWork(pool: HotPool): Promise<WorkCount> {
  const [row] = await runStatement<WorkCount>(pool, statement, []);
  return row!;
}

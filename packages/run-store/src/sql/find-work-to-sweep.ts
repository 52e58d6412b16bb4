import { DEFAULT_POOL } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import type { Lane } from '../lane.ts';

// What the sweeper looks for. Each statement reads open work only, through the partial index it names.

/** Nobody holds the session lock of worker `w`. */
export const IS_LOCK_FREE = `not exists (
    select 1 from pg_locks k
    where k.locktype = 'advisory' and k.granted
      and ((k.classid::bigint << 32) | k.objid::bigint) = w.lock_key and k.objsubid = 1
      and k.database = (select oid from pg_database where datname = current_database())
  )`;

const dead: Statement = {
  name: 'find-dead-workers',
  text: `
select w.id, w.lock_key::text as "lockKey", w.host, w.pid, w.process_started as "processStarted",
  (w.lease_until < now() or w.stopped_at is not null) as "isLeaseOver",
  (extract(epoch from now() - pg_postmaster_start_time()) * 1000)::float8 as "serverUpMs",
  (extract(epoch from w.lease_until - pg_postmaster_start_time()) * 1000)::float8 as "leasePastServerStartMs",
  ${IS_LOCK_FREE} as "isLockFree"
from worker w
where w.id >= '00000000-0000-0000-0000-000000000000'
  and (w.stopped_at is null or exists (select 1 from node_run n where n.worker_id = w.id and n.status = 'running'))`,
};

/** A worker that may be dead. */
export interface SuspectWorker {
  readonly id: string;
  readonly lockKey: string;
  readonly host: string;
  readonly pid: number;
  readonly processStarted: string;
  /** Its lease ran out, or somebody has declared it dead. */
  readonly isLeaseOver: boolean;
  /** How long the database server runs: before, no worker could renew or hold anything. */
  readonly serverUpMs: number;
  /** How long after the server's start the lease ends; more than the length of a lease: it was renewed since. */
  readonly leasePastServerStartMs: number;
  /** Nobody holds the worker's session lock. */
  readonly isLockFree: boolean;
}

/** Workers that have not said goodbye, or whose node runs are still running. Index: node_run_running. */
export const findLiveWorkers = (pool: HotPool): Promise<SuspectWorker[]> => runStatement(pool, dead, []);

const held: Statement = {
  name: 'find-held-node-runs',
  text: `
select n.run_id as "runId", n.path, n.attempt, n.worker_id as "workerId", r.workspace_id as "workspaceId", r.version_id as "versionId"
from unnest($1::uuid[]) as x(id) join node_run n on n.worker_id = x.id and n.status = 'running' join run r on r.id = n.run_id
limit $2`,
};

export interface SweepTarget {
  readonly runId: string;
  readonly path: string;
  readonly workspaceId: string;
  readonly versionId: string;
}
export interface HeldNodeRun extends SweepTarget {
  readonly attempt: number;
  readonly workerId: string;
}

/** Node runs that dead workers still hold. Index: node_run_running. */
export const findHeldNodeRuns = (
  pool: HotPool,
  workerIds: readonly string[],
  limit: number,
): Promise<HeldNodeRun[]> => runStatement(pool, held, [workerIds, limit]);

/** In a run `r` that stops or undoes only its own node runs `n` go on: those that undo, those that
 * ask (T20, T23), and those that a service has taken (T22). */
const MAY_START = `(n.kind in ('probe', 'poll') or n.reason = 'callback' or (r.status <> 'cancelling'
    and (r.status = 'compensating') = (n.kind = 'undo') and (r.failure is null or n.kind = 'undo')))`;

const due: Statement = {
  name: 'find-due-timers',
  text: `
select n.run_id as "runId", n.path, r.workspace_id as "workspaceId", r.version_id as "versionId"
from node_run n join run r on r.id = n.run_id
where n.status in ('retry_wait', 'waiting') and n.wake_at is not null and n.wake_at <= now()
  and r.status in ('pending', 'running', 'waiting', 'paused', 'compensating', 'cancelling')
  and ${MAY_START}
order by n.wake_at limit $1`,
};

/** Node runs whose timer is due. Index: node_run_due. */
export const findDueTimers = (pool: HotPool, limit: number): Promise<SweepTarget[]> =>
  runStatement(pool, due, [limit]);

const next: Statement = {
  name: 'find-next-timer',
  text: `
select extract(epoch from min(t.at) - now())::float8 * 1000 as "inMs" from (
  select min(n.wake_at) as at from node_run n where n.status in ('retry_wait', 'waiting') and n.wake_at is not null
  union all
  select min(c.wake_at) from call_limit c where c.wake_at is not null
) t`,
};

/**
 * Milliseconds until the next timer is due, or the line of a limit; undefined when there is none. Indexes: node_run_due,
 * call_limit_wake.
 */
export async function findNextTimer(pool: HotPool): Promise<number | undefined> {
  const [row] = await runStatement<{ inMs: number | null }>(pool, next, []);
  return row?.inMs ?? undefined;
}

const forgotten: Statement = {
  name: 'find-forgotten',
  text: `
with served as materialized (
  select distinct p.name from worker w cross join unnest(w.pools) as p(name)
  where w.id >= '00000000-0000-0000-0000-000000000000'
    and (w.id = any($3::uuid[]) or (w.stopped_at is null and w.lease_until > now()))
), old as (
  select n.run_id, n.path, n.pool, r.more, n.status_at, r.workspace_id from node_run n join run r on r.id = n.run_id
  where n.status = 'ready' and n.status_at < now() - $1::float8 * interval '1 millisecond'
    and (r.status in ('pending', 'running', 'waiting', 'compensating', 'cancelling') or (r.status = 'paused' and n.kind = 'poll'))
    and ${MAY_START}
    and not exists (select 1 from limit_line l where l.run_id = n.run_id and l.path = n.path)
  union all
  select r.id, '', r.more->>'pool', r.more, r.status_at, r.workspace_id from run r
  where r.status in ('pending', 'running', 'waiting') and r.open_count = 0 and r.failure is null
    and r.status_at < now() - $1::float8 * interval '1 millisecond'
    and not exists (select 1 from node_run n where n.run_id = r.id and n.status = 'running')
), numbered as (
  select o.*, row_number() over (partition by o.pool order by o.status_at) as place from old o
  where coalesce(o.pool, '${DEFAULT_POOL}') in (select name from served)
)
select n.run_id as "runId", n.path, n.pool, (n.more->>'priority')::int as priority, n.workspace_id as "workspaceId",
  extract(epoch from now() - n.status_at)::float8 * 1000 as "ageMs"
from numbered n where n.place <= $2`,
};

/** A doorbell that may have been forgotten. */
export interface ForgottenBell extends Lane {
  readonly runId: string;
  readonly path: string;
  /** Since when it waits for a worker. */
  readonly ageMs: number;
}

/**
 * Ready node runs, and runs whose end is due, that nobody has taken for a while: the oldest of each pool that a worker serves. Those that
 * stand in a line are not forgotten. Indexes: node_run_ready, limit_line's primary key, run_open, worker's primary key.
 *
 * @param limit of each pool
 * @param dead  workers whose pools count as served: others like them are about to come
 */
export const findForgotten = (
  pool: HotPool,
  olderThanMs: number,
  limit: number,
  dead: readonly string[] = [],
): Promise<ForgottenBell[]> => runStatement(pool, forgotten, [olderThanMs, limit, dead]);

const overdue: Statement = {
  name: 'find-overdue-runs',
  text: `
select r.id as "runId", '' as path, r.workspace_id as "workspaceId", r.version_id as "versionId",
  case when r.status = 'cancelling' then 'grace' when r.times_out_at < now() then 'timeout' else 'deadline' end as what
from run r
where r.status in ('pending', 'running', 'waiting', 'paused', 'cancelling')
  and ((r.status = 'cancelling' and r.cancel_requested_at < now() - $1::float8 * interval '1 millisecond')
    or (r.status in ('pending', 'running', 'waiting') and r.deadline_at < now())
    or (r.status in ('pending', 'running', 'waiting', 'paused') and r.failure is null and r.times_out_at < now()))
limit $2`,
};

/** Runs past their wall-clock budget or the time their flow allows, and cancelled runs whose effects had their grace time. Index: run_open. */
export const findOverdueRuns = (
  pool: HotPool,
  graceMs: number,
  limit: number,
): Promise<(SweepTarget & { readonly what: 'grace' | 'deadline' | 'timeout' })[]> =>
  runStatement(pool, overdue, [graceMs, limit]);

const stopping: Statement = {
  name: 'find-runs-to-abort',
  text: `
select distinct n.run_id as "runId" from node_run n join run r on r.id = n.run_id
where n.worker_id = $1 and n.status = 'running' and n.kind not in ('probe', 'poll')
  and (r.status = 'cancelling' or (r.more->>'timedOut')::boolean)`,
};

/** Runs that are being cancelled, or took too long, while this worker still works on them. Index: node_run_running. */
export const findRunsToAbort = (pool: HotPool, workerId: string): Promise<{ runId: string }[]> =>
  runStatement(pool, stopping, [workerId]);

import { DEFAULT_POOL } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import type { WorkerOffer } from '../sql/worker-leases.ts';

/** Node runs of the workspace that are named for each worker, the oldest first. */
const NAMED = 10;
/** Ready node runs that are counted at most, over all pools. */
export const MOST_READY = 20_000;

/** A node run that a worker has in hand. */
export interface NodeRunInHand {
  readonly runId: string;
  readonly path: string;
  readonly flow: string;
  /** ISO 8601. */
  readonly since: string;
}

/** A worker whose lease is in force. Instants as ISO 8601. */
export interface LiveWorker {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly leaseUntil: string;
  readonly pools: readonly string[];
  /** What it can call; absent: it is of a release that did not say. */
  readonly offers?: WorkerOffer;
  /** Node runs that it holds, of all workspaces. */
  readonly held: number;
  /** Of them those of the workspace that asks, as far as they are named. */
  readonly nodeRuns: readonly NodeRunInHand[];
}

interface Row {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  readonly leaseUntil: Date;
  readonly pools: string[];
  readonly offers: string | null;
  readonly held: number;
  readonly nodeRuns: string;
}

/** The workers that live, the oldest first, with what they do. Indexes: worker's primary key, node_run_running. */
export async function listWorkers({ pool }: Orm, workspaceId: string): Promise<LiveWorker[]> {
  const { rows } = await pool.query<Row>(
    `select w.id, split_part(w.host, ' ', 1) as host, w.pid, w.started_at as "startedAt", w.lease_until as "leaseUntil", w.pools,
       w.offers::text as offers,
       (select count(*)::int from node_run n where n.worker_id = w.id and n.status = 'running') as held,
       (select coalesce(json_agg(own), '[]')::text from (
         select n.run_id as "runId", n.path, r.flow_name as flow, to_char(n.status_at at time zone 'UTC', $2) as since
         from node_run n
         join run r on r.id = n.run_id
         where n.worker_id = w.id and n.status = 'running' and r.workspace_id = $1
         order by n.status_at
         limit ${NAMED}) own) as "nodeRuns"
     from worker w
     where w.stopped_at is null and w.lease_until > now()
     order by w.id`,
    [workspaceId, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'],
  );
  return rows.map(({ offers, nodeRuns, startedAt, leaseUntil, ...row }) => ({
    ...row,
    startedAt: startedAt.toISOString(),
    leaseUntil: leaseUntil.toISOString(),
    ...(offers !== null && { offers: JSON.parse(offers) as WorkerOffer }),
    nodeRuns: JSON.parse(nodeRuns) as NodeRunInHand[],
  }));
}

/** What waits in a pool, of all workspaces. */
export interface PoolBacklog {
  readonly pool: string;
  /** Node runs that are ready and that nobody has in hand. */
  readonly ready: number;
  /** Of them those that stand in the line of a limit, or wait for a worker that has their tool. */
  readonly inLine: number;
  /** Since when the oldest of them is ready, as ISO 8601. */
  readonly oldest: string;
}

/**
 * What waits, by pool; pools in which nothing waits are missing. Counts at most {@link MOST_READY} node runs. Indexes: node_run_ready,
 * limit_line's primary key.
 */
export async function countBacklog({ pool }: Orm): Promise<PoolBacklog[]> {
  const { rows } = await pool.query<Omit<PoolBacklog, 'oldest'> & { readonly oldest: Date }>(
    `select coalesce(n.pool, '${DEFAULT_POOL}') as pool, count(*)::int as ready, count(l.run_id)::int as "inLine",
       min(n.status_at) as oldest
     from (select run_id, path, pool, status_at from node_run where status = 'ready' limit ${MOST_READY}) n
     left join limit_line l on l.run_id = n.run_id and l.path = n.path
     group by 1
     order by 1`,
  );
  return rows.map(({ oldest, ...row }) => ({ ...row, oldest: oldest.toISOString() }));
}

import type { Orm } from '../entities/orm.ts';
import { findRun, type RunRef } from './find-run.ts';

/** A node run that a worker holds. */
export interface WorkItem {
  readonly path: string;
  readonly attempt: number;
  readonly workerId: string;
  /** The worker's lease lives: nobody else may take it over. */
  readonly isAlive: boolean;
  /** Milliseconds until the lease is over unless it is renewed, by the clock of the database; 0 when it is over. */
  readonly leftMs: number;
}

const MOST = 1_000;

/**
 * Node runs of a run that workers hold, by path, at most 1,000; undefined when the workspace has no such run (V14). Index: node_run_running,
 * which holds nothing else, so the length of the run does not matter.
 */
export async function listWork(orm: Orm, ref: RunRef): Promise<{ items: readonly WorkItem[] } | undefined> {
  const run = await findRun(orm.fork(), ref);
  if (!run) return undefined;
  const { rows } = await orm.pool.query<WorkItem>(
    `select n.path, n.attempt, n.worker_id as "workerId",
       w.stopped_at is null and w.lease_until > now() as "isAlive",
       (case when w.stopped_at is null
         then greatest(0, ceil(extract(epoch from w.lease_until - now()) * 1000)) else 0 end)::int as "leftMs"
     from node_run n join worker w on w.id = n.worker_id
     where n.run_id = $1 and n.status = 'running' and n.worker_id is not null
     order by n.path
     limit $2`,
    [run.id, MOST],
  );
  return { items: rows };
}

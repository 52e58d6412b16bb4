import { DEFAULT_POOL, type RunStatus } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';

/** How many paths are named of the node runs that nobody can take. */
const PATHS_NAMED = 5;

/** Ready node runs of a run that no live worker can take: the pool, the first paths, since when the first waits. */
export interface UnservedWork {
  readonly pool: string;
  readonly paths: readonly string[];
  readonly since: Date;
}

/** Pools that a worker in force serves. Walks the workers, of which there are few. */
export async function servedPools(orm: Orm): Promise<ReadonlySet<string>> {
  const { rows } = await orm.pool.query<{ name: string }>(
    `select distinct p.name from worker w cross join unnest(w.pools) as p(name)
     where w.stopped_at is null and w.lease_until > now()`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** What of a page of runs waits for a pool that nobody serves; runs that wait for nothing cost nothing. Index: node_run_ready. */
export async function unservedWorkOf(
  orm: Orm,
  runs: readonly { readonly id: string; readonly status: RunStatus }[],
): Promise<Map<string, UnservedWork>> {
  const ids = runs
    .filter(({ status }) => ['pending', 'running', 'waiting'].includes(status))
    .map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const served = [...(await servedPools(orm))];
  const { rows } = await orm.pool.query<{ run_id: string; pool: string; paths: string[]; since: Date }>(
    `select distinct on (run_id) run_id, pool, (array_agg(path order by path))[1:${PATHS_NAMED}] as paths,
       min(status_at) as since
     from (
       select run_id, coalesce(pool, '${DEFAULT_POOL}') as pool, path, status_at from node_run
       where run_id = any ($1::uuid[]) and status = 'ready'
     ) ready
     where pool <> all ($2::text[])
     group by run_id, pool
     order by run_id, pool`,
    [ids, served],
  );
  return new Map(rows.map(({ run_id, ...work }) => [run_id, work]));
}

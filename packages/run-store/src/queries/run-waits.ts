import type { Orm } from '../entities/orm.ts';
import { runPlacesOf } from './places-in-line.ts';
import type { RunRow, RunWaits } from './run-shapes.ts';
import { unservedWorkOf } from './served-pools.ts';
import type { RunWaitColumns } from './waiting-for.ts';

/** How many paths are named of the node runs that wait for a person. */
const PATHS_NAMED = 5;

type OpenWork = NonNullable<RunWaitColumns['openWork']>;

/** What the node runs of the runs of a page wait for; runs that have ended cost nothing. */
export async function waitsOf(
  orm: Orm,
  runs: readonly Pick<RunRow, 'id' | 'status'>[],
): Promise<(runId: string) => RunWaits> {
  const [open, unserved, places] = await Promise.all([
    openWorkOf(orm, runs),
    unservedWorkOf(orm, runs),
    runPlacesOf(orm, runs),
  ]);
  return (runId) => ({
    ...(open.has(runId) && { openWork: open.get(runId) }),
    ...(unserved.has(runId) && { unserved: unserved.get(runId) }),
    ...(places.has(runId) && { place: places.get(runId) }),
  });
}

/**
 * What the node runs of waiting and paused runs wait for, for those runs of a page that do; others cost nothing.
 * Relies on node_run's primary key.
 */
async function openWorkOf(
  orm: Orm,
  runs: readonly Pick<RunRow, 'id' | 'status'>[],
): Promise<Map<string, OpenWork>> {
  const ids = runs.filter(({ status }) => status === 'waiting' || status === 'paused').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { rows } = await orm.pool.query<{
    run_id: string;
    persons: number;
    paths: string[] | null;
    since: Date | null;
    blocked: string[] | null;
    wake_at: Date | null;
    signals: string[] | null;
    sub_flows: string[] | null;
    callbacks: string[] | null;
  }>(
    `select run_id,
       count(*) filter (where needs_person)::int as persons,
       (array_agg(path order by path) filter (where needs_person))[1:${PATHS_NAMED}] as paths,
       min(status_at) filter (where needs_person) as since,
       (array_agg(path order by path) filter (where status = 'blocked'))[1:${PATHS_NAMED}] as blocked,
       min(wake_at) filter (where not needs_person) as wake_at,
       (array_agg(path order by path) filter (where wait_key is not null))[1:${PATHS_NAMED}] as signals,
       (array_agg(path order by path) filter (where status = 'waiting' and reason = 'flow'))[1:${PATHS_NAMED}] as sub_flows,
       (array_agg(path order by path) filter (where status = 'waiting' and reason = 'callback'))[1:${PATHS_NAMED}] as callbacks
     from (
       select run_id, path, status, status_at, wake_at, wait_key, reason,
         (status = 'uncertain' and more->>'probing' is null)
           or (status = 'waiting' and reason in ('failure', 'approval')) as needs_person
       from node_run
       where run_id = any ($1::uuid[]) and status in ('uncertain', 'waiting', 'retry_wait', 'blocked')
     ) open
     group by run_id`,
    [ids],
  );
  return new Map(
    rows.map((row) => [
      row.run_id,
      {
        persons: row.persons,
        paths: row.paths ?? [],
        since: row.since,
        blocked: row.blocked ?? [],
        wakeAt: row.wake_at,
        signals: row.signals ?? [],
        subFlows: row.sub_flows ?? [],
        callbacks: row.callbacks ?? [],
      },
    ]),
  );
}

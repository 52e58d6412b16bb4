import type { RunStatus } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';

/** How many paths are named of the node runs that stand in line. */
const PATHS_NAMED = 5;

/** Where a ready node run stands, since when, and when its line is looked at next where that is known. */
export interface Place {
  readonly key: string;
  readonly since: Date;
  readonly until: Date | null;
}

/** Where the first node runs of a run stand. */
export interface RunPlace extends Place {
  readonly paths: readonly string[];
}

interface Row extends Place {
  readonly run_id: string;
  readonly path: string;
}

const PLACES = `
  select l.run_id, l.path, l.key, l.since, c.wake_at as until
  from limit_line l
  join node_run n on n.run_id = l.run_id and n.path = l.path and n.status = 'ready'
  left join call_limit c on l.key = 'limit:' || c.key`;

/** Of these node runs of one run, those that stand in line, by path. Index: limit_line's primary key. */
export async function placesOf(
  orm: Orm,
  runId: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Place>> {
  if (paths.length === 0) return new Map();
  const { rows } = await orm.pool.query<Row>(`${PLACES} where l.run_id = $1 and l.path = any ($2::text[])`, [
    runId,
    paths,
  ]);
  return new Map(rows.map((row) => [row.path, row]));
}

/** Where node runs of a page of runs stand, for those that have any in a line. Index: limit_line's primary key. */
export async function runPlacesOf(
  orm: Orm,
  runs: readonly { readonly id: string; readonly status: RunStatus }[],
): Promise<Map<string, RunPlace>> {
  const ids = runs
    .filter(({ status }) => ['pending', 'running', 'waiting'].includes(status))
    .map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { rows } = await orm.pool.query<RunPlace & { run_id: string }>(
    `select distinct on (run_id) run_id, key, (array_agg(path order by path))[1:${PATHS_NAMED}] as paths,
       min(since) as since, min(until) as until
     from (${PLACES} where l.run_id = any ($1::uuid[])) place
     group by run_id, key
     order by run_id, min(since)`,
    [ids],
  );
  return new Map(rows.map(({ run_id, ...place }) => [run_id, place]));
}

import { DEFAULT_POOL } from '@pawl/dag-core';
import { type HotClient, type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';
import type { NodeRunKey } from './load-node-runs.ts';

/** A ready node run that nobody is rung for, and where it stands instead. */
export interface PlaceInLine extends NodeRunKey {
  readonly key: string;
  readonly workspaceId: string;
  readonly priority: number;
  readonly pool: string | undefined;
  /** What its call takes of a limit, at most. */
  readonly tokens: number;
}

const stand: Statement = {
  name: 'stand-in-line',
  text: `
insert into limit_line (run_id, path, key, workspace_id, priority, pool, tokens)
select x.run_id, x.path, x.key, x.workspace_id, x.priority, x.pool, x.tokens
from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::smallint[], $6::text[], $7::float8[])
  as x(run_id, path, key, workspace_id, priority, pool, tokens)
on conflict (run_id, path) do update set key = excluded.key, tokens = excluded.tokens, since = now()`,
};

/** Puts node runs into their lines; one that stood in another one leaves it. Index: limit_line's primary key. */
export async function standInLine(client: HotClient, places: readonly PlaceInLine[]): Promise<void> {
  await runStatement(client, stand, [
    plainArray(places.map(({ runId }) => runId)),
    textArray(places.map(({ path }) => path)),
    textArray(places.map(({ key }) => key)),
    plainArray(places.map(({ workspaceId }) => workspaceId)),
    plainArray(places.map(({ priority }) => priority)),
    textArray(places.map(({ pool }) => pool)),
    plainArray(places.map(({ tokens }) => tokens)),
  ]);
}

const take: Statement = {
  name: 'take-from-lines',
  text: `
with found as materialized (
  select l.run_id, l.path from unnest($1::text[]) as k(key)
  cross join lateral (
    select * from limit_line l
    where l.key = k.key and coalesce(l.pool, '${DEFAULT_POOL}') = any($2::text[])
    order by l.workspace_id, l.priority, l.since
    limit $3
    for update skip locked
  ) l
  limit $3
)
delete from limit_line l using found f where l.run_id = f.run_id and l.path = f.path
returning l.run_id as "runId", l.path`,
};

/**
 * Takes node runs out of lines, for a worker that has what they wait for; each is taken by one worker. One that is taken and not
 * claimed is ready and in no line: it is rung for again like any forgotten one. Index: limit_line_waiting.
 */
export const takeFromLines = (
  pool: HotPool,
  { keys, pools, most }: { keys: readonly string[]; pools: readonly string[]; most: number },
): Promise<NodeRunKey[]> => runStatement(pool, take, [textArray(keys), textArray(pools), most]);

import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';

const statement: Statement = {
  name: 'find-versions',
  text: `
select x.place::int as place, f.id is not null as "isFlow", f.published_version_id as "publishedVersion", v.id as "versionId",
  coalesce(f.is_paused, false) as "isPaused"
from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as x(workspace_id, name, version, place)
left join lateral (
  select f.id, f.published_version_id, f.paused_at is not null as is_paused from flow f where f.workspace_id = x.workspace_id and f.name = x.name offset 0
) f on true
left join lateral (
  select v.id from flow_version v
  where v.workspace_id = x.workspace_id and v.id = coalesce(x.version, f.published_version_id) and v.flow_id = f.id and v.number is not null offset 0
) v on true`,
};

/** Asks for the version a start means: a given one, or the published one. */
export interface VersionWish {
  readonly workspaceId: string;
  readonly flow: string;
  readonly version?: string;
}
export interface FoundVersion {
  readonly isFlow: boolean;
  readonly publishedVersion: string | null;
  readonly versionId: string | null;
  /** The flow starts no runs for now. */
  readonly isPaused: boolean;
}

/**
 * Answers in the order of the wishes, which are looked up one by one (`offset 0`), so that no plan walks whole tables.
 * Indexes: flow (workspace_id, name), flow_version's primary key.
 */
export async function findVersions(pool: HotPool, wishes: readonly VersionWish[]): Promise<FoundVersion[]> {
  const rows = await runStatement<FoundVersion & { place: number }>(pool, statement, [
    plainArray(wishes.map((wish) => wish.workspaceId)),
    textArray(wishes.map((wish) => wish.flow)),
    textArray(wishes.map((wish) => wish.version)),
  ]);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return wishes.map((_, i) => byPlace.get(i + 1)!);
}

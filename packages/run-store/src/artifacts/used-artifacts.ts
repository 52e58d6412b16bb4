import type { Json } from '@pawl/dag-core';
import { type HotClient, type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { isId } from '../ids.ts';
import { plainArray } from '../sql/array-literal.ts';

/** A run whose input names an artifact. */
export interface ArtifactUse {
  readonly runId: string;
  readonly workspaceId: string;
  readonly artifactId: string;
}

const statement: Statement = {
  name: 'hold-artifacts',
  text: `
with found as materialized (
  select x.run_id, a.id
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as x(run_id, workspace_id, artifact_id)
  cross join lateral (
    select a.id from artifact a where a.id = x.artifact_id and a.workspace_id = x.workspace_id offset 0 for key share
  ) a
), held as (
  insert into used_artifact (run_id, artifact_id)
  select run_id, id from found
  on conflict do nothing
)
select count(*)::int as found from found`,
};

/**
 * Notes which artifacts runs use, before it is committed that they do: from then on an artifact stays as long as one of them
 * does. What the workspace does not have is left out (V14). Index: artifact's primary key.
 *
 * @returns how many of them are there
 */
export async function holdArtifacts(db: HotPool | HotClient, uses: readonly ArtifactUse[]): Promise<number> {
  if (uses.length === 0) return 0;
  const [row] = await runStatement<{ found: number }>(db, statement, [
    plainArray(uses.map((use) => use.runId)),
    plainArray(uses.map((use) => use.workspaceId)),
    plainArray(uses.map((use) => use.artifactId)),
  ]);
  return row!.found;
}

/** The artifacts that a value refers to: every member `artifactId` that holds an id, at any depth. */
export function artifactIdsIn(value: Json): string[] {
  const found = new Set<string>();
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object') open.push(item);
      continue;
    }
    for (const key in next) {
      const member = next[key]!;
      if (typeof member === 'object') open.push(member);
      else if (key === 'artifactId' && typeof member === 'string' && isId(member))
        found.add(member.toLowerCase());
    }
  }
  return [...found];
}

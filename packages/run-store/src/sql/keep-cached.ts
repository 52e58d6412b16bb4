import type { Json } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { jsonArray, plainArray, textArray } from './array-literal.ts';
import type { CacheKey } from './find-cached.ts';

const statement: Statement = {
  name: 'keep-cached',
  text: `
insert into tool_cache (workspace_id, tool, args_hash, output, kept_at, fresh_until)
select workspace_id, tool, args_hash, output, now(), now() + ttl_ms * interval '1 millisecond'
from unnest($1::uuid[], $2::text[], $3::text[], $4::json[], $5::float8[]) as x(workspace_id, tool, args_hash, output, ttl_ms)
order by workspace_id, tool, args_hash
on conflict (workspace_id, tool, args_hash) do update
  set output = excluded.output, kept_at = excluded.kept_at, fresh_until = excluded.fresh_until`,
};

/** A result to be kept. */
export interface CacheEntry extends CacheKey {
  readonly output: Json;
  readonly ttlMs: number;
}

/** Keeps results over older ones. Keys must differ. Index: tool_cache's primary key. */
export async function keepCached(pool: HotPool, entries: readonly CacheEntry[]): Promise<void> {
  await runStatement(pool, statement, [
    plainArray(entries.map((entry) => entry.workspaceId)),
    textArray(entries.map((entry) => entry.tool)),
    plainArray(entries.map((entry) => entry.argsHash)),
    jsonArray(entries.map((entry) => entry.output)),
    plainArray(entries.map((entry) => entry.ttlMs)),
  ]);
}

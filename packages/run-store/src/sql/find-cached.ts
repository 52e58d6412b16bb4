import type { Json } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';

const statement: Statement = {
  name: 'find-cached',
  text: `
select c.workspace_id as "workspaceId", c.tool, c.args_hash as "argsHash", c.output,
  extract(epoch from c.kept_at)::float8 * 1000 as "keptAt", c.fresh_until > now() as "isFresh"
from unnest($1::uuid[], $2::text[], $3::text[]) as x(workspace_id, tool, args_hash)
join tool_cache c on c.workspace_id = x.workspace_id and c.tool = x.tool and c.args_hash = x.args_hash`,
};

/** Names a kept result: by workspace (V14), tool and canonical arguments. */
export interface CacheKey {
  readonly workspaceId: string;
  /** `<name>@<version>`. */
  readonly tool: string;
  /** SHA-256 (hex) of the canonical JSON (RFC 8785) of the arguments. */
  readonly argsHash: string;
}

/** A result that was kept. */
export interface CachedOutput extends CacheKey {
  readonly output: Json;
  /** Epoch milliseconds, database clock. */
  readonly keptAt: number;
  readonly isFresh: boolean;
}

/** Results kept for these calls, fresh or not. Index: tool_cache's primary key. */
export const findCached = (pool: HotPool, keys: readonly CacheKey[]): Promise<CachedOutput[]> =>
  runStatement(pool, statement, [
    plainArray(keys.map((key) => key.workspaceId)),
    textArray(keys.map((key) => key.tool)),
    plainArray(keys.map((key) => key.argsHash)),
  ]);

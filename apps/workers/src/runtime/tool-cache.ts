import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '@pawl/dag-core';
import {
  type CachedOutput,
  type CacheEntry,
  type CacheKey,
  findCached,
  GroupCommitter,
  type HotPool,
  INLINE_LIMIT_BYTES,
  keepCached,
} from '@pawl/run-store/work';
import type { Tool } from '@pawl/tool-sdk';

/** What pure tools gave for the same arguments, in one workspace (K16). Asked and kept many at once; trouble with it is no trouble of a call. */
export class ToolCache {
  readonly #asked: GroupCommitter<CacheKey, CachedOutput | undefined>;
  readonly #kept: GroupCommitter<CacheEntry, void>;
  readonly #onError: (error: unknown) => void;

  constructor(pool: HotPool, onError: (error: unknown) => void) {
    this.#onError = onError;
    this.#asked = new GroupCommitter<CacheKey, CachedOutput | undefined>({
      keyOf,
      batchSize: 200,
      batchesInFlight: 2,
      send: async (keys) => {
        const found = new Map((await findCached(pool, keys)).map((output) => [keyOf(output), output]));
        return keys.map((key) => found.get(keyOf(key)));
      },
    });
    this.#kept = new GroupCommitter<CacheEntry, void>({
      keyOf,
      batchSize: 100,
      batchesInFlight: 1,
      isOnePerKey: true,
      send: async (entries) => {
        await keepCached(pool, entries);
        return entries.map(() => undefined);
      },
    });
  }

  /** The result of an earlier call, fresh or not; undefined when there is none, or when the cache cannot be asked. */
  async find(key: CacheKey): Promise<CachedOutput | undefined> {
    try {
      return await this.#asked.commit(key);
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  /** Keeps a result unless it is too long to stay in a row. Nobody waits for it. */
  keep(key: CacheKey, output: Json, ttlMs: number): void {
    if (Buffer.byteLength(JSON.stringify(output)) > INLINE_LIMIT_BYTES) return;
    this.#kept.commit({ ...key, output, ttlMs }).catch(this.#onError);
  }
}

/** Names a call of a tool by what it is asked. */
export const cacheKey = (workspaceId: string, tool: Tool, args: Json): CacheKey => ({
  workspaceId,
  tool: tool.ref,
  argsHash: createHash('sha256').update(canonicalJson(args)).digest('hex'),
});

const keyOf = ({ workspaceId, tool, argsHash }: CacheKey) => `${workspaceId} ${tool} ${argsHash}`;

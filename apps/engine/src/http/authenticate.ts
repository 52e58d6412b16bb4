import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { EngineStore, KeyHolder } from './engine-store.ts';
import { problems } from './http-problem.ts';
import { isFromThisMachine, isLoopback } from './loopback.ts';
import type { AuthMode } from './options.ts';

/** Who asks: every request acts in exactly one workspace (V14). `by` goes into the journal. */
export interface Principal {
  readonly workspaceId: string;
  readonly by: string;
}

export interface AuthenticateOptions {
  readonly mode: AuthMode;
  readonly defaultWorkspaceId: string;
  readonly findKey: EngineStore['findKey'];
  readonly keyCacheMs: number;
  readonly now?: () => number;
}

/** Keys remembered at once; the oldest goes first. */
const CACHE_SIZE = 1_000;

/**
 * Makes the function that tells who asks. Found keys are believed for `keyCacheMs`, by their SHA-256; unknown ones never.
 * The function throws {HttpProblem} `api_key_missing`, `api_key_invalid` or `host_not_allowed`.
 */
export function createAuthenticate(
  options: AuthenticateOptions,
): (request: FastifyRequest) => Promise<Principal> {
  const now = options.now ?? Date.now;
  const cache = new Map<string, { holder: KeyHolder; until: number }>();

  async function holderOf(key: string): Promise<KeyHolder> {
    const hash = createHash('sha256').update(key).digest('base64');
    const known = cache.get(hash);
    if (known && known.until > now()) return known.holder;
    cache.delete(hash);
    const holder = await options.findKey(key);
    if (!holder) throw problems.keyInvalid();
    if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value!);
    cache.set(hash, { holder, until: now() + options.keyCacheMs });
    return holder;
  }

  return async ({ headers, raw }) => {
    if (headers.authorization !== undefined) {
      const [, key] = /^Bearer (pawl_[\w-]{16,200})$/i.exec(headers.authorization) ?? [];
      if (!key) throw problems.keyInvalid();
      const holder = await holderOf(key);
      return { workspaceId: holder.workspaceId, by: `key:${holder.name}` };
    }
    if (options.mode === 'keys' || !isLoopback(raw.socket.remoteAddress)) throw problems.keyMissing();
    if (!isFromThisMachine(raw)) throw problems.hostNotAllowed();
    return { workspaceId: options.defaultWorkspaceId, by: 'local' };
  };
}

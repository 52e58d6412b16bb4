import type { Role } from '@pawl/dag-core';
import type { KeyHolder, SessionHolder } from '@pawl/run-store';
import type { FastifyRequest } from 'fastify';
import { problems } from '../http-problem.ts';
import type { AuthMode } from '../options.ts';
import type { AccessStore } from './access-store.ts';
import { Believed } from './believed.ts';
import { isFromThisMachine, isLoopback } from './loopback.ts';
import { isOwnPage } from './own-page.ts';
import { sessionTokenOf } from './session-cookie.ts';

/** Who asks: every request acts in exactly one workspace (V14). `by` goes into the journal. */
export interface Principal {
  readonly workspaceId: string;
  readonly by: string;
  readonly name: string;
  readonly role: Role;
  readonly proof: Proof;
}

/** What says who asks: a key with the request, a session by its cookie, or that it comes from this machine. */
export type Proof =
  | { readonly kind: 'key'; readonly keyId: string }
  | { readonly kind: 'session'; readonly token: string; readonly holder: SessionHolder }
  | { readonly kind: 'local' };

export interface AuthenticateOptions {
  readonly mode: AuthMode;
  readonly defaultWorkspaceId: string;
  readonly store: Pick<AccessStore, 'findKey' | 'findSession'>;
  readonly keyCacheMs: number;
  readonly now?: () => number;
}

export interface Authenticate {
  /**
   * Who sends a request. A cookie of a session that has ended, or of another engine on this machine, is passed over where none is needed.
   *
   * @throws {HttpProblem} `api_key_missing`, `api_key_invalid`, `session_ended`, `origin_not_allowed` or `host_not_allowed`
   */
  (request: FastifyRequest): Promise<Principal>;
  /** Somebody's access changed: nothing that was found before counts. */
  readonly forget: () => void;
}

/** Makes the function that tells who asks. Keys and sessions that were found are believed for `keyCacheMs`. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { mode, defaultWorkspaceId, store, keyCacheMs, now = Date.now } = options;
  const keys = new Believed((key) => store.findKey(key), keyCacheMs, now);
  const sessions = new Believed((token) => store.findSession(token), keyCacheMs, now);

  const authenticate = async (request: FastifyRequest): Promise<Principal> => {
    const { headers, raw } = request;
    if (headers.authorization !== undefined) {
      const [, key] = /^Bearer (pawl_[\w-]{16,200})$/i.exec(headers.authorization) ?? [];
      const holder = key === undefined ? undefined : await keys.of(key);
      if (!holder) throw problems.keyInvalid();
      return ofKey(holder);
    }
    const token = sessionTokenOf(headers.cookie);
    const holder = token === undefined ? undefined : await sessions.of(token);
    if (holder) {
      if (!isOwnPage(request)) throw problems.originNotAllowed();
      return ofSession(holder, token!);
    }
    if (mode === 'keys' || !isLoopback(raw.socket.remoteAddress))
      throw token === undefined ? problems.keyMissing() : problems.sessionEnded();
    if (!isFromThisMachine(raw)) throw problems.hostNotAllowed();
    return {
      workspaceId: defaultWorkspaceId,
      by: 'local',
      name: 'local',
      role: 'admin',
      proof: { kind: 'local' },
    };
  };
  return Object.assign(authenticate, {
    forget: () => {
      keys.forget();
      sessions.forget();
    },
  });
}

const ofKey = ({ keyId, name, role, workspaceId }: KeyHolder): Principal => ({
  workspaceId,
  by: `key:${name}`,
  name,
  role,
  proof: { kind: 'key', keyId },
});

/** Who a session speaks for; one that a key opened acts as that key. */
export const ofSession = (holder: SessionHolder, token: string): Principal => ({
  workspaceId: holder.workspaceId,
  by: `${holder.userId === undefined ? 'key' : 'user'}:${holder.name}`,
  name: holder.name,
  role: holder.role,
  proof: { kind: 'session', token, holder },
});

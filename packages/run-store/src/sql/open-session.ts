import type { Pool } from 'pg';
import { hashOfToken, newSessionToken } from '../access/session-token.ts';
import { runStatement, type Statement } from '../hot-pool.ts';

/** How long sessions last, in milliseconds. */
export interface SessionTimes {
  /** Without a request. */
  readonly idleMs: number;
  /** Whatever happens. */
  readonly longestMs: number;
}

/** Whose sessions: those of a user, or those that a key opened. */
export type SessionOwner = { readonly userId: string } | { readonly keyId: string };

const statement: Statement = {
  name: 'open-session',
  text: `
with seen as (update workspace_user set signed_in_at = now() where id = $2)
insert into session (token_hash, user_id, key_id, expires_at, ends_at)
values ($1, $2, $3, now() + least($4::float8, $5::float8) * interval '1 millisecond', now() + $5::float8 * interval '1 millisecond')
returning ends_at as "endsAt"`,
};

export interface OpenedSession {
  /** Told this once; only its hash is stored. */
  readonly token: string;
  /** When it ends at the latest, and in how many milliseconds that is, for clocks that differ from the database's. */
  readonly endsAt: string;
  readonly lastsMs: number;
}

/** Opens a session. */
export async function openSession(
  pool: Pool,
  owner: SessionOwner,
  { idleMs, longestMs }: SessionTimes,
): Promise<OpenedSession> {
  const token = newSessionToken();
  const [userId, keyId] = 'userId' in owner ? [owner.userId, null] : [null, owner.keyId];
  const values = [hashOfToken(token), userId, keyId, idleMs, longestMs];
  const [row] = await runStatement<{ endsAt: Date }>(pool, statement, values);
  return { token, endsAt: row!.endsAt.toISOString(), lastsMs: longestMs };
}

import type { Role } from '@pawl/dag-core';
import type { Pool } from 'pg';
import { hashOfToken } from '../access/session-token.ts';
import { runStatement, type Statement } from '../hot-pool.ts';
import type { SessionTimes } from './open-session.ts';

const statement: Statement = {
  name: 'find-session',
  text: `
with found as (
  select s.token_hash, s.user_id, s.key_id, s.ends_at, coalesce(u.name, k.name) as name, coalesce(u.role, k.role) as role,
    coalesce(u.workspace_id, k.workspace_id) as workspace_id
  from session s
  left join workspace_user u on u.id = s.user_id
  left join api_key k on k.id = s.key_id and k.revoked_at is null
  where s.token_hash = $1 and s.expires_at > now() and (u.id is not null or k.id is not null)
), used as (
  update session s set expires_at = least(s.ends_at, now() + $2::float8 * interval '1 millisecond')
  from found f
  where s.token_hash = f.token_hash
    and s.expires_at < least(s.ends_at, now() + ($2::float8 - least($2::float8 / 10, 60000)) * interval '1 millisecond')
), key_used as (
  update api_key k set used_at = now() from found f
  where k.id = f.key_id and (k.used_at is null or k.used_at < now() - interval '1 minute')
)
select user_id as "userId", key_id as "keyId", name, role, workspace_id as "workspaceId", ends_at as "endsAt" from found`,
};

/** Who a session speaks for: a user, or the key that opened it. */
export interface SessionHolder {
  readonly userId?: string;
  readonly keyId?: string;
  readonly name: string;
  readonly role: Role;
  readonly workspaceId: string;
  /** When it ends at the latest. */
  readonly endsAt: string;
}

/**
 * Who a session speaks for now; undefined when it is unknown, ended or expired. Notes that it is used, once in a while.
 * Indexes: primary keys.
 */
export async function findSession(
  pool: Pool,
  token: string,
  { idleMs }: SessionTimes,
): Promise<SessionHolder | undefined> {
  type Row = Omit<SessionHolder, 'userId' | 'keyId' | 'endsAt'> & {
    userId: string | null;
    keyId: string | null;
    endsAt: Date;
  };
  const [row] = await runStatement<Row>(pool, statement, [hashOfToken(token), idleMs]);
  if (!row) return undefined;
  const { userId, keyId, endsAt, ...who } = row;
  return { ...who, ...(userId && { userId }), ...(keyId && { keyId }), endsAt: endsAt.toISOString() };
}

import type { Role } from '@pawl/dag-core';
import type { Pool } from 'pg';
import { runStatement, type Statement } from '../hot-pool.ts';

/** What may be shown of a user. */
export interface UserSummary {
  readonly name: string;
  readonly role: Role;
  readonly createdAt: string;
  /** Absent: never. */
  readonly signedInAt?: string;
  /** Sessions in force. */
  readonly sessions: number;
}

const statement: Statement = {
  name: 'find-users',
  text: `
select u.name, u.role, u.created_at as "createdAt", u.signed_in_at as "signedInAt",
  (select count(*)::int from session s where s.user_id = u.id and s.expires_at > now()) as sessions
from workspace_user u
where u.workspace_id = $1 and u.name = coalesce($2, u.name)
order by u.name`,
};

/** The users of a workspace by name, or the one with a name. Indexes: workspace_user's unique key, session_of_user. */
export async function findUsers(pool: Pool, workspaceId: string, name?: string): Promise<UserSummary[]> {
  type Row = Omit<UserSummary, 'createdAt' | 'signedInAt'> & { createdAt: Date; signedInAt: Date | null };
  const rows = await runStatement<Row>(pool, statement, [workspaceId, name ?? null]);
  return rows.map(({ createdAt, signedInAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    ...(signedInAt && { signedInAt: signedInAt.toISOString() }),
  }));
}

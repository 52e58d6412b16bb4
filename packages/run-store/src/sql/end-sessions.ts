import type { Pool } from 'pg';
import { hashOfToken } from '../access/session-token.ts';
import { runStatement, type Statement } from '../hot-pool.ts';
import type { SessionOwner } from './open-session.ts';

const one: Statement = {
  name: 'end-session',
  text: 'delete from session where token_hash = $1',
};

/** Ends a session, for good. Index: session's primary key. */
export async function endSession(pool: Pool, token: string): Promise<void> {
  await runStatement(pool, one, [hashOfToken(token)]);
}

const ofUser: Statement = {
  name: 'end-sessions-of-user',
  text: 'delete from session where user_id = $1 and token_hash <> $2 returning 1',
};
const ofKey: Statement = {
  name: 'end-sessions-of-key',
  text: 'delete from session where key_id = $1 and token_hash <> $2 returning 1',
};

/**
 * Ends all sessions of a user or a key, but for the one whose token is kept. Indexes: session_of_user, session_of_key.
 *
 * @returns how many
 */
export async function endSessionsOf(pool: Pool, owner: SessionOwner, keepToken?: string): Promise<number> {
  const kept = keepToken === undefined ? '' : hashOfToken(keepToken);
  const [statement, id] = 'userId' in owner ? [ofUser, owner.userId] : [ofKey, owner.keyId];
  return (await runStatement(pool, statement, [id, kept])).length;
}

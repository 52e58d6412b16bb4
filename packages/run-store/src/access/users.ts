import { raw, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { Role } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import { UserEntity } from '../entities/user.ts';
import { StoreError } from '../errors.ts';
import { newId } from '../ids.ts';
import { endSessionsOf } from '../sql/end-sessions.ts';
import { findUsers, type UserSummary } from '../sql/find-users.ts';
import { hashPassword } from './passwords.ts';

/** Names a user in a workspace. */
export interface UserRef {
  readonly workspaceId: string;
  readonly user: string;
}

/** Makes a user. @throws {StoreError} `user_exists` */
export async function createUser(
  orm: Orm,
  request: UserRef & { readonly role: Role; readonly password: string },
): Promise<UserSummary> {
  const { workspaceId, user, role, password } = request;
  try {
    await orm.fork().insert(UserEntity, {
      id: newId(),
      workspaceId,
      name: user,
      role,
      passwordHash: await hashPassword(password),
      createdAt: raw('now()'),
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new StoreError('user_exists', { user });
    throw error;
  }
  return getUser(orm, request);
}

/** The users of a workspace by name. */
export const listUsers = (orm: Orm, workspaceId: string): Promise<UserSummary[]> =>
  findUsers(orm.pool, workspaceId);

/**
 * Gives a user another role, another password, or both. A new password ends the sessions of the user, but for the one whose token is
 * kept.
 *
 * @throws {StoreError} `user_not_found`
 */
export async function changeUser(
  orm: Orm,
  request: UserRef & { readonly role?: Role; readonly password?: string; readonly keepToken?: string },
): Promise<UserSummary> {
  const { workspaceId, user, role, password, keepToken } = request;
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const em = orm.fork();
  const row = await em.findOne(UserEntity, { workspaceId, name: user });
  if (!row) throw new StoreError('user_not_found', { user });
  await em.nativeUpdate(
    UserEntity,
    { id: row.id },
    { ...(role && { role }), ...(passwordHash !== undefined && { passwordHash }) },
  );
  if (passwordHash !== undefined) await endSessionsOf(orm.pool, { userId: row.id }, keepToken);
  return getUser(orm, request);
}

/** Removes a user, with its sessions. Gives it as it was. @throws {StoreError} `user_not_found` */
export async function removeUser(orm: Orm, ref: UserRef): Promise<UserSummary> {
  const was = await getUser(orm, ref);
  await orm.fork().nativeDelete(UserEntity, { workspaceId: ref.workspaceId, name: ref.user });
  return was;
}

async function getUser(orm: Orm, { workspaceId, user }: UserRef): Promise<UserSummary> {
  const [found] = await findUsers(orm.pool, workspaceId, user);
  if (!found) throw new StoreError('user_not_found', { user });
  return found;
}

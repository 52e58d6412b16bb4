import type { Role } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import { UserEntity } from '../entities/user.ts';
import { WorkspaceEntity } from '../entities/workspace.ts';
import { DEFAULT_WORKSPACE_ID } from '../keys/keys.ts';
import { isNobodysPassword, isPassword } from './passwords.ts';

/** Who a name and its password speak for. */
export interface UserHolder {
  readonly userId: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly role: Role;
}

/** A workspace as people know it. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
}

/**
 * Who name and password speak for; undefined when they do not fit. Takes as long for a workspace or a name that is not there as for a
 * wrong password.
 *
 * @param workspace name of one; absent: the one that every database starts with
 */
export async function findByPassword(
  orm: Orm,
  request: { readonly workspace?: string; readonly name: string; readonly password: string },
): Promise<UserHolder | undefined> {
  const { workspace } = request;
  if (workspace === undefined) return ofPassword(orm, DEFAULT_WORKSPACE_ID, request);
  const home = await orm.fork().findOne(WorkspaceEntity, { name: storable(workspace) });
  return ofPassword(orm, home?.id, request);
}

/** Whether a password is that of a user. */
export const isPasswordOf = async (
  orm: Orm,
  { workspaceId, ...who }: { readonly workspaceId: string; readonly name: string; readonly password: string },
): Promise<boolean> => (await ofPassword(orm, workspaceId, who)) !== undefined;

async function ofPassword(
  orm: Orm,
  workspaceId: string | undefined,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<UserHolder | undefined> {
  const row =
    workspaceId === undefined
      ? null
      : await orm.fork().findOne(UserEntity, { workspaceId, name: storable(name) });
  const fits = row ? await isPassword(row.passwordHash, password) : await isNobodysPassword(password);
  return row && fits
    ? { userId: row.id, name: row.name, workspaceId: row.workspaceId, role: row.role }
    : undefined;
}

/** A workspace by its id. */
export async function getWorkspace(orm: Orm, workspaceId: string): Promise<Workspace> {
  const { id, name } = await orm.fork().findOneOrFail(WorkspaceEntity, { id: workspaceId });
  return { id, name };
}

/** What no column can hold names nothing. */
const storable = (text: string): string => (text.includes('\u0000') ? '' : text);

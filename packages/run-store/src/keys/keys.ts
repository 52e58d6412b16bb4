import { createHash, randomBytes } from 'node:crypto';
import { raw } from '@mikro-orm/core';
import { ApiKeyEntity } from '../entities/api-key.ts';
import { storableLabel } from '../entities/label.ts';
import type { Orm } from '../entities/orm.ts';
import { isId, newId } from '../ids.ts';

/** The workspace that every database starts with. */
export const DEFAULT_WORKSPACE_ID = '00000000-0000-7000-8000-000000000001';

const KEY_START = 'pawl_';
/** Enough to tell keys apart in a list, far too little to guess one. */
const PREFIX_LENGTH = KEY_START.length + 6;

/** What may be shown of an API key. */
export interface KeySummary {
  readonly id: string;
  readonly name: string;
  /** First characters of the key. */
  readonly prefix: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

/** Who a key speaks for. */
export interface KeyHolder {
  readonly keyId: string;
  readonly name: string;
  readonly workspaceId: string;
}

/**
 * Makes an API key. The database keeps its SHA-256 only, so this answer is the one time the key can be read: 32 random bytes
 * leave nothing to guess, and a slow hash would only slow every request down.
 */
export async function createKey(
  orm: Orm,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<{ id: string; key: string; prefix: string }> {
  const id = newId();
  const key = KEY_START + randomBytes(32).toString('base64url');
  const prefix = key.slice(0, PREFIX_LENGTH);
  await orm.fork().insert(ApiKeyEntity, {
    id,
    workspaceId,
    name: storableLabel(name),
    hash: hashKey(key),
    prefix,
    createdAt: raw('now()'),
  });
  return { id, key, prefix };
}

/** Who a key speaks for; undefined when it is unknown or revoked. */
export async function findKey(orm: Orm, key: string): Promise<KeyHolder | undefined> {
  if (!key.startsWith(KEY_START)) return undefined;
  const row = await orm.fork().findOne(ApiKeyEntity, { hash: hashKey(key), revokedAt: null });
  return row ? { keyId: row.id, name: row.name, workspaceId: row.workspaceId } : undefined;
}

/** Keys of a workspace, oldest first, the revoked ones included. */
export async function listKeys(orm: Orm, workspaceId: string): Promise<KeySummary[]> {
  const rows = await orm.fork().find(ApiKeyEntity, { workspaceId }, { orderBy: { id: 'asc' } });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.createdAt.toISOString(),
    ...(row.revokedAt && { revokedAt: row.revokedAt.toISOString() }),
  }));
}

/** Makes a key useless for ever. False when the workspace has no such key or it is revoked already. */
export async function revokeKey(
  orm: Orm,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
): Promise<boolean> {
  if (!isId(keyId)) return false;
  const changed = await orm
    .fork()
    .nativeUpdate(ApiKeyEntity, { id: keyId, workspaceId, revokedAt: null }, { revokedAt: raw('now()') });
  return changed === 1;
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

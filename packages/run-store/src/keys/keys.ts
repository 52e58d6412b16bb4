import { createHash, randomBytes } from 'node:crypto';
import { type InferEntity, raw } from '@mikro-orm/core';
import type { Role } from '@pawl/dag-core';
import { ApiKeyEntity } from '../entities/api-key.ts';
import { storableLabel } from '../entities/label.ts';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
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
  readonly role: Role;
  /** First characters of the key. */
  readonly prefix: string;
  readonly createdAt: string;
  /** Absent: by somebody beside the database. */
  readonly createdBy?: string;
  /** To the minute; absent: never. */
  readonly usedAt?: string;
  readonly revokedAt?: string;
}

/** Who a key speaks for. */
export interface KeyHolder {
  readonly keyId: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly role: Role;
}

/**
 * Makes an API key. The database keeps its SHA-256 only, so this answer is the one time the key can be read: 32 random bytes
 * leave nothing to guess, and a slow hash would only slow every request down.
 */
export async function createKey(
  orm: Orm,
  { workspaceId, name, role, by }: { workspaceId: string; name: string; role: Role; by?: string },
): Promise<KeySummary & { key: string }> {
  const id = newId();
  const key = KEY_START + randomBytes(32).toString('base64url');
  const prefix = key.slice(0, PREFIX_LENGTH);
  const em = orm.fork();
  await em.insert(ApiKeyEntity, {
    id,
    workspaceId,
    name: storableLabel(name),
    hash: hashKey(key),
    prefix,
    role,
    createdAt: raw('now()'),
    ...(by !== undefined && { createdBy: by }),
  });
  return { ...summaryOf(await em.findOneOrFail(ApiKeyEntity, { id })), key };
}

/** How far the note of the last use may be behind, so that a busy key is not written for each request. */
const USE_NOTED_MS = 60_000;

/** Who a key speaks for; undefined when it is unknown or revoked. Notes that it was used. */
export async function findKey(orm: Orm, key: string): Promise<KeyHolder | undefined> {
  if (!key.startsWith(KEY_START)) return undefined;
  const em = orm.fork();
  const row = await em.findOne(ApiKeyEntity, { hash: hashKey(key), revokedAt: null });
  if (!row) return undefined;
  const { id: keyId, name, workspaceId, role } = row;
  if (!row.usedAt || Date.now() - row.usedAt.getTime() > USE_NOTED_MS)
    await em.nativeUpdate(ApiKeyEntity, { id: keyId }, { usedAt: raw('now()') });
  return { keyId, name, workspaceId, role };
}

/** Keys of a workspace, oldest first, the revoked ones included. */
export async function listKeys(orm: Orm, workspaceId: string): Promise<KeySummary[]> {
  const rows = await orm.fork().find(ApiKeyEntity, { workspaceId }, { orderBy: { id: 'asc' } });
  return rows.map(summaryOf);
}

/**
 * Makes a key useless for ever; the sessions that it opened end with it.
 *
 * @throws {StoreError} `key_not_found` when the workspace has no such key, or it is revoked already
 */
export async function revokeKey(
  orm: Orm,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
): Promise<KeySummary> {
  const em = orm.fork();
  const where = { id: keyId, workspaceId };
  const changed = isId(keyId)
    ? await em.nativeUpdate(ApiKeyEntity, { ...where, revokedAt: null }, { revokedAt: raw('now()') })
    : 0;
  if (changed === 0) throw new StoreError('key_not_found', { keyId });
  return summaryOf(await em.findOneOrFail(ApiKeyEntity, where));
}

function summaryOf(row: InferEntity<typeof ApiKeyEntity>): KeySummary {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    prefix: row.prefix,
    createdAt: row.createdAt.toISOString(),
    ...(row.createdBy && { createdBy: row.createdBy }),
    ...(row.usedAt && { usedAt: row.usedAt.toISOString() }),
    ...(row.revokedAt && { revokedAt: row.revokedAt.toISOString() }),
  };
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

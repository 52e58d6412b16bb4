// Catches: a credential that lies in the database as it is, opens with another key or in another place, or is seen by another workspace.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DEFAULT_WORKSPACE_ID,
  findCredential,
  listCredentials,
  removeCredential,
  SealingKey,
  setCredential,
} from '../src/index.ts';
import { addOtherWorkspace, OTHER_WORKSPACE_ID, openTestStore, type TestStore } from './support/seed.ts';

const workspaceId = DEFAULT_WORKSPACE_ID;
const place = { workspaceId, name: 'TOKEN' };
const aKey = () => SealingKey.parse(randomBytes(32).toString('base64'));

describe('sealing', () => {
  test('the same value is sealed differently each time, and opens with its key at its place only', () => {
    const key = aKey();
    const sealed = key.seal('hush ö "\u0000', place);
    expect(key.open(sealed, place)).toBe('hush ö "\u0000');
    expect(key.seal('hush ö "\u0000', place)).not.toEqual(sealed);
    expect(aKey().open(sealed, place)).toBeUndefined();
    expect(key.open(sealed, { ...place, name: 'OTHER' })).toBeUndefined();
    expect(key.open(sealed, { ...place, workspaceId: OTHER_WORKSPACE_ID })).toBeUndefined();
    for (const at of [0, 12, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(key.open(changed, place)).toBeUndefined();
    }
    expect(key.open(sealed.subarray(0, 20), place)).toBeUndefined();
  });

  test('a key is 32 bytes in hex or base64; what is none is refused without being repeated', () => {
    const bytes = randomBytes(32);
    const ids = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')].map(
      (text) => SealingKey.parse(text).id,
    );
    expect(new Set(ids).size).toBe(1);
    for (const text of ['', 'short', 'a'.repeat(63), randomBytes(31).toString('base64'), `${'g'.repeat(64)}`])
      expect(() => SealingKey.parse(text)).toThrow(/PAWL_SECRET_KEY is not a key: expected 32 random bytes/);
    expect(() => SealingKey.parse('not-a-key-4711')).not.toThrow(/4711/);
  });
});

describe('credentials', () => {
  let store: TestStore;
  const key = aKey();
  beforeAll(async () => {
    store = await openTestStore();
    await addOtherWorkspace(store.pool);
  });
  afterAll(() => store.close());
  const set = (value: string, by = 'user:ada', workspace = workspaceId) =>
    setCredential(store.orm, { workspaceId: workspace, credential: 'TOKEN', value, by }, key);
  const list = (by: SealingKey | undefined = key, workspace = workspaceId) =>
    listCredentials(store.orm, workspace, by);

  test('are set, replaced, listed without their value, and removed', async () => {
    await set('first-4711');
    await set('second-4712', 'user:bob');
    const shown = { name: 'TOKEN', setBy: 'user:bob', setAt: expect.any(String), isReadable: true };
    expect(await list()).toEqual([shown]);
    expect(await list(aKey())).toMatchObject([{ isReadable: false }]);
    const sealed = await findCredential(store.pool, workspaceId, 'TOKEN');
    expect(key.open(sealed!, place)).toBe('second-4712');
    const { rows } = await store.pool.query<{ text: string }>('select c::text as text from credential c');
    expect(rows).toHaveLength(1);
    for (const form of ['second-4712', Buffer.from('second-4712').toString('hex')])
      expect(rows[0]!.text).not.toContain(form);
    await removeCredential(store.orm, { workspaceId, credential: 'TOKEN' }, key);
    expect(await findCredential(store.pool, workspaceId, 'TOKEN')).toBeUndefined();
    await expect(
      removeCredential(store.orm, { workspaceId, credential: 'TOKEN' }, key),
    ).rejects.toMatchObject({
      code: 'credential_not_found',
    });
  });

  test('V14: of another workspace are others', async () => {
    await set('theirs', 'user:eve', OTHER_WORKSPACE_ID);
    expect(await list()).toEqual([]);
    expect(await findCredential(store.pool, workspaceId, 'TOKEN')).toBeUndefined();
    await expect(
      removeCredential(store.orm, { workspaceId, credential: 'TOKEN' }, key),
    ).rejects.toMatchObject({
      code: 'credential_not_found',
    });
    expect(await list(key, OTHER_WORKSPACE_ID)).toHaveLength(1);
  });

  test('are not stored without a key', async () => {
    await expect(
      setCredential(store.orm, { workspaceId, credential: 'OTHER', value: 'x', by: 'local' }, undefined),
    ).rejects.toMatchObject({ code: 'credentials_off' });
    expect(await list(undefined)).toEqual([]);
  });
});

// Catches: a key that can be read back, that outlives its revocation, or that speaks for another workspace.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, DEFAULT_WORKSPACE_ID, findKey, listKeys, revokeKey } from '../src/index.ts';
import { addOtherWorkspace, OTHER_WORKSPACE_ID, openTestStore, type TestStore } from './support/seed.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
});
afterAll(() => store.close());

const workspaceId = DEFAULT_WORKSPACE_ID;

test('a key finds its workspace; the database holds its hash and its first characters only', async () => {
  const { id, key, prefix } = await createKey(store.orm, { workspaceId, name: 'ci', role: 'editor' });
  expect(key).toMatch(/^pawl_[A-Za-z0-9_-]{43}$/);
  expect(key.startsWith(prefix)).toBe(true);
  expect(await findKey(store.orm, key)).toEqual({ keyId: id, name: 'ci', workspaceId, role: 'editor' });
  const { rows } = await store.pool.query('select row_to_json(api_key)::text as text from api_key');
  expect(rows.map((row) => row.text).join()).not.toContain(key.slice(prefix.length));
});

test('a key that is altered, empty, or only a prefix finds nobody', async () => {
  const { key, prefix } = await createKey(store.orm, { workspaceId, name: 'x', role: 'viewer' });
  for (const wrong of [`${key}A`, key.slice(0, -1), prefix, '', 'pawl_', key.toUpperCase(), `${key}\u0000`]) {
    expect(await findKey(store.orm, wrong)).toBeUndefined();
  }
});

test('a revoked key finds nobody and is listed as revoked; revoking again, or from elsewhere, changes nothing', async () => {
  const { id, key, prefix } = await createKey(store.orm, {
    workspaceId: OTHER_WORKSPACE_ID,
    name: 'theirs',
    role: 'operator',
    by: 'user:ada',
  });
  const refused = (ref: { workspaceId: string; keyId: string }) =>
    expect(revokeKey(store.orm, ref)).rejects.toMatchObject({ code: 'key_not_found' });
  await refused({ workspaceId, keyId: id });
  expect(await findKey(store.orm, key)).toMatchObject({ workspaceId: OTHER_WORKSPACE_ID });
  const theirs = { workspaceId: OTHER_WORKSPACE_ID, keyId: id };
  expect(await revokeKey(store.orm, theirs)).toMatchObject({ id, revokedAt: expect.any(String) });
  await refused(theirs);
  await refused({ workspaceId, keyId: 'no id' });
  expect(await findKey(store.orm, key)).toBeUndefined();
  const keys = await listKeys(store.orm, OTHER_WORKSPACE_ID);
  expect(keys).toEqual([
    {
      id,
      name: 'theirs',
      prefix,
      role: 'operator',
      createdAt: expect.any(String),
      createdBy: 'user:ada',
      usedAt: expect.any(String),
      revokedAt: expect.any(String),
    },
  ]);
  expect((await listKeys(store.orm, workspaceId)).map((each) => each.name)).not.toContain('theirs');
});

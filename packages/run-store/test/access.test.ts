// Catches: a password or a token that can be read back, a session that outlives its end, a user of another workspace.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import {
  changeUser,
  createKey,
  createUser,
  DEFAULT_WORKSPACE_ID,
  endSession,
  endSessionsOf,
  findByPassword,
  findSession,
  forgetOld,
  isPasswordOf,
  listKeys,
  listUsers,
  migrate,
  openSession,
  removeUser,
  revokeKey,
} from '../src/index.ts';
import { MIGRATIONS } from '../src/migrations/list.ts';
import {
  addOtherWorkspace,
  OTHER_WORKSPACE_ID,
  openTestPool,
  openTestStore,
  type TestStore,
} from './support/seed.ts';

const workspaceId = DEFAULT_WORKSPACE_ID;
const password = 'correct horse battery';
const HOUR_MS = 3_600_000;
const times = { idleMs: HOUR_MS, longestMs: 10 * HOUR_MS };

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
});
afterAll(() => store.close());
beforeEach(() => store.pool.query('truncate workspace_user, session'));

const aUser = (user: string, more: { workspaceId?: string; password?: string } = {}) =>
  createUser(store.orm, { workspaceId, user, role: 'editor', password, ...more });
const holderOf = (name: string, tried = password) => findByPassword(store.orm, { name, password: tried });
const find = (token: string) => findSession(store.pool, token, times);

async function aSession(user = 'ada') {
  await aUser(user);
  const { userId } = (await holderOf(user))!;
  return { userId, ...(await openSession(store.pool, { userId }, times)) };
}

/** All sessions are this much older. */
const passTime = (hours: number) =>
  store.pool.query(
    `update session set created_at = created_at - $1 * interval '1 hour',
       expires_at = expires_at - $1 * interval '1 hour', ends_at = ends_at - $1 * interval '1 hour'`,
    [hours],
  );
const textOf = async (table: string) =>
  (await store.pool.query(`select row_to_json(t)::text as text from ${table} t`)).rows
    .map((row) => row.text)
    .join();

describe('a password', () => {
  test('opens for its user only, and is stored as argon2id with a salt of its own', async () => {
    await aUser('ada');
    await aUser('bob');
    expect(await holderOf('ada')).toMatchObject({ name: 'ada', role: 'editor', workspaceId });
    expect(await holderOf('ada', 'correct horse batterz')).toBeUndefined();
    for (const name of ['nobody', 'ada\u0000', '']) expect(await holderOf(name)).toBeUndefined();
    expect(await isPasswordOf(store.orm, { workspaceId, name: 'ada', password })).toBe(true);
    const { rows } = await store.pool.query('select password_hash from workspace_user');
    for (const row of rows) expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(rows[0].password_hash).not.toBe(rows[1].password_hash);
    expect(await textOf('workspace_user')).not.toContain(password);
  });

  test('is the same from keyboards that compose its signs and that do not', async () => {
    await aUser('ada', { password: 'caf\u00e9 au lait, s\u2019il' });
    expect(await holderOf('ada', 'cafe\u0301 au lait, s\u2019il')).toBeDefined();
  });

  test('takes as long to refuse for nobody as for somebody', async () => {
    await aUser('ada');
    await holderOf('nobody'); // makes what is compared with
    const took = async (name: string) => {
      const begun = performance.now();
      for (let i = 0; i < 5; i++) await holderOf(name, 'wrong, though long');
      return performance.now() - begun;
    };
    const [nobody, somebody] = [await took('nobody'), await took('ada')];
    expect(Math.max(nobody, somebody) / Math.min(nobody, somebody)).toBeLessThan(3);
  });
});

describe('a session', () => {
  test('speaks for its user with the role it has now; only the hash of its token is stored', async () => {
    const { token, userId } = await aSession();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await find(token)).toMatchObject({ userId, name: 'ada', role: 'editor', workspaceId });
    await changeUser(store.orm, { workspaceId, user: 'ada', role: 'viewer' });
    expect(await find(token)).toMatchObject({ role: 'viewer' });
    expect(await textOf('session')).not.toContain(token);
    expect(await find(`${token.slice(0, -1)}_`)).toBeUndefined();
  });

  test('ends when it is not used for too long', async () => {
    const { token } = await aSession();
    await passTime(0.9);
    expect(await find(token)).toBeDefined();
    await passTime(0.9);
    expect(await find(token), 'the use before counted').toBeDefined();
    await passTime(1.1);
    expect(await find(token)).toBeUndefined();
  });

  test('ends at its end, however much it is used', async () => {
    const { token } = await aSession();
    for (let use = 0; use < 12; use++) {
      expect(await find(token)).toBeDefined();
      await passTime(0.9);
    }
    expect(await find(token)).toBeUndefined();
    await forgetOld(store.pool);
    expect(await textOf('session')).toBe('');
  });

  test('is not written for each request', async () => {
    const { token } = await aSession();
    const rowOf = async () => (await store.pool.query('select xmin::text from session')).rows[0].xmin;
    const before = await rowOf();
    await find(token);
    expect(await rowOf()).toBe(before);
    await passTime(0.5);
    const older = await rowOf();
    await find(token);
    expect(await rowOf()).not.toBe(older);
  });

  test('ends alone, with all of its user, or with its user', async () => {
    const first = await aSession();
    const owner = { userId: first.userId };
    const [second, third] = [
      await openSession(store.pool, owner, times),
      await openSession(store.pool, owner, times),
    ];
    const others = await aSession('bob');
    await endSession(store.pool, first.token);
    expect(await find(first.token)).toBeUndefined();
    expect(await listUsers(store.orm, workspaceId)).toMatchObject([
      { name: 'ada', sessions: 2, signedInAt: expect.any(String) },
      { name: 'bob', sessions: 1 },
    ]);
    await changeUser(store.orm, { workspaceId, user: 'ada', password, keepToken: second.token });
    expect([await find(second.token), await find(third.token)]).toMatchObject([{ name: 'ada' }, undefined]);
    expect(await endSessionsOf(store.pool, owner)).toBe(1);
    await openSession(store.pool, owner, times);
    await removeUser(store.orm, { workspaceId, user: 'ada' });
    expect((await store.pool.query('select user_id from session')).rows).toEqual([
      { user_id: others.userId },
    ]);
  });

  test('of a key ends with the key, and notes that the key is used', async () => {
    const { id: keyId } = await createKey(store.orm, { workspaceId, name: 'ci', role: 'operator' });
    const { token } = await openSession(store.pool, { keyId }, times);
    expect(await find(token)).toMatchObject({ keyId, name: 'ci', role: 'operator' });
    expect((await listKeys(store.orm, workspaceId)).find(({ id }) => id === keyId)?.usedAt).toBeDefined();
    await revokeKey(store.orm, { workspaceId, keyId });
    expect(await find(token)).toBeUndefined();
  });
});

test('V14: a user of another workspace does not exist, and may have the same name', async () => {
  await aUser('ada');
  const theirs = { workspaceId: OTHER_WORKSPACE_ID, user: 'ada' };
  const refused = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: 'user_not_found' });
  await refused(changeUser(store.orm, { ...theirs, role: 'admin' }));
  await refused(removeUser(store.orm, theirs));
  expect(await listUsers(store.orm, OTHER_WORKSPACE_ID)).toEqual([]);
  await aUser('ada', { workspaceId: OTHER_WORKSPACE_ID, password: 'another horse battery' });
  await expect(aUser('ada')).rejects.toMatchObject({ code: 'user_exists' });
  const inOther = { name: 'ada', workspace: 'other' };
  expect(await findByPassword(store.orm, { ...inOther, password })).toBeUndefined();
  expect(await findByPassword(store.orm, { ...inOther, password: 'another horse battery' })).toMatchObject({
    workspaceId: OTHER_WORKSPACE_ID,
  });
  expect(await findByPassword(store.orm, { ...inOther, workspace: 'none', password })).toBeUndefined();
});

test('a key that there was before roles may what it could: everything', async () => {
  const database = await createTestDatabase();
  await migrate(database.url, { migrations: MIGRATIONS.filter(({ name }) => name < '0020') });
  const pool = openTestPool(database.url);
  await pool.query(
    "insert into api_key (id, workspace_id, name, hash, prefix) values (gen_random_uuid(), $1, 'old', 'h', 'p')",
    [workspaceId],
  );
  await migrate(database.url);
  const { rows } = await pool.query('select role, used_at from api_key');
  await pool.end();
  await database.drop();
  expect(rows).toEqual([{ role: 'admin', used_at: null }]);
});

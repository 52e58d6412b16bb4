// Which mistake would this catch? A doctor that calls a sick system well, or a key that is shown but does not open anything.
import { prepareQueue } from '@pawl/queue';
import { findByPassword, findKey, migrate, newId, openOrm } from '@pawl/run-store';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { type Ran, runPawl } from '../support/run-pawl.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const pawl = (...words: string[]): Promise<Ran> => runPawl(words, { env: { DATABASE_URL: database.url } });

async function findings(): Promise<{ exitCode: number; wrong: Record<string, string> }> {
  const { exitCode, out } = await pawl('doctor', '--json');
  const all = JSON.parse(out) as { check: string; ok: boolean; detail: string }[];
  return {
    exitCode,
    wrong: Object.fromEntries(all.filter(({ ok }) => !ok).map(({ check, detail }) => [check, detail])),
  };
}

async function execute(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

describe('pawl migrate', () => {
  test('when started twice, the second finds nothing to do', async () => {
    const first = await pawl('migrate');
    expect(first).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^Applying migration 0001-initial[\s\S]+up to date[.]\n$/),
    });
    expect(await pawl('migrate', '--json')).toMatchObject({ exitCode: 0, out: '{"applied":[]}\n' });
  });
});

describe('pawl doctor', () => {
  test('when all is well, it exits 0', async () => {
    await migrate(database.url);
    await prepareQueue({ backend: 'postgres', url: database.url });
    expect(await findings()).toEqual({ exitCode: 0, wrong: {} });
  });

  test('when the schema was never made, it names the way out and exits 1', async () => {
    const { exitCode, wrong } = await findings();
    expect(exitCode).toBe(1);
    expect(wrong.schema).toMatch(/pawl migrate/);
  });

  test('when a row is not the fold of its journal, it names run and fact', async () => {
    await migrate(database.url);
    await prepareQueue({ backend: 'postgres', url: database.url });
    // A run without its version: no journal of this database could have made it.
    const runId = newId();
    await execute(
      `insert into run (id, workspace_id, flow_name, version_id, mode, status, next_seq, open_count, active_count,
         budget_limits, status_at, created_at)
       select '${runId}', id, 'x', repeat('a', 64), 'live', 'running', 2, 1, 0, '{}', now(), now() from workspace limit 1`,
    );
    const { exitCode, wrong } = await findings();
    expect(exitCode).toBe(1);
    expect(wrong.rows).toContain(runId);
  });

  test('when the database does not answer, it says so and exits 1', async () => {
    const ran = await pawl('doctor', '--database-url', 'postgres://nobody@127.0.0.1:1/none');
    expect(ran.exitCode).toBe(1);
    expect(ran.out).toMatch(/wrong {2}database +The database does not answer/);
  });
});

describe('pawl user', () => {
  test('when one is made, the password opens it, and neither is told; role, password and removal count', async () => {
    await migrate(database.url);
    const withPassword = (password: string, ...words: string[]) =>
      runPawl(['user', ...words], { env: { DATABASE_URL: database.url }, stdin: `${password}\n` });
    const password = 'correct horse battery';
    const made = await withPassword(password, 'create', 'Ada', '--role', 'admin');
    expect(made).toMatchObject({ exitCode: 0, out: 'User ada may sign in as admin.\n' });
    const orm = await openOrm(database.url);
    const find = (tried: string) => findByPassword(orm, { name: 'ada', password: tried });
    try {
      expect(await find(password)).toMatchObject({ name: 'ada', role: 'admin' });
      expect((await pawl('user', 'role', 'ada', 'viewer')).exitCode).toBe(0);
      expect(await find(password)).toMatchObject({ role: 'viewer' });
      expect((await withPassword('another horse battery', 'password', 'ada')).exitCode).toBe(0);
      expect([await find(password), await find('another horse battery')]).toMatchObject([
        undefined,
        { name: 'ada' },
      ]);
      const listed = await pawl('user', 'list');
      expect(listed.out).toMatch(/ada +viewer +never +0/);
      expect(listed.out + made.out + made.err).not.toContain(password);
      expect((await withPassword(password, 'create', 'ada', '--role', 'viewer')).exitCode).toBe(7);
      expect((await withPassword('too short', 'create', 'bob', '--role', 'viewer')).exitCode).toBe(2);
      expect((await withPassword(password, 'create', 'b b', '--role', 'viewer')).exitCode).toBe(2);
      expect((await withPassword(password, 'create', 'bob', '--role', 'owner')).exitCode).toBe(2);
      expect((await pawl('user', 'remove', 'ada')).exitCode).toBe(0);
      expect((await pawl('user', 'remove', 'ada')).exitCode).toBe(4);
    } finally {
      await orm.close();
    }
  });
});

describe('pawl key', () => {
  test('when a key is made, it opens its workspace until it is revoked; only its beginning is listed', async () => {
    await migrate(database.url);
    const made = await pawl('key', 'create', 'ci');
    expect(made.err).toContain('Its role is operator.');
    const key = made.out.trim();
    expect(key).toMatch(/^pawl_[\w-]{43}$/);
    const orm = await openOrm(database.url);
    try {
      const holder = await findKey(orm, key);
      expect(holder).toMatchObject({ name: 'ci', role: 'operator' });
      const other = (await pawl('key', 'create', 'root', '--role', 'admin')).out.trim();
      expect(await findKey(orm, other)).toMatchObject({ role: 'admin' });
      const listed = await pawl('key', 'list');
      expect(listed.out).toMatch(/active {2}ci$/m);
      expect(listed.out).not.toContain(key);
      expect((await pawl('key', 'revoke', holder!.keyId)).exitCode).toBe(0);
      expect(await findKey(orm, key)).toBeUndefined();
      expect((await pawl('key', 'revoke', holder!.keyId)).exitCode).toBe(4);
    } finally {
      await orm.close();
    }
  });
});

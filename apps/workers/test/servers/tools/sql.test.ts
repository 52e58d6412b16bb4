// Which mistake would this catch? A query that writes, a write that happens twice, a number that is rounded on its way, a
// statement that goes on after its attempt.
import { AttemptAbort, type Json, leavesDoubt, type Tool } from '@pawl/tool-sdk';
import { assertToolContract } from '@pawl/tool-sdk/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.ts';
import { SqlConnections } from '../../../src/tools/sql/connections.ts';
import { sqlQuery } from '../../../src/tools/sql/sql-query.ts';
import { sqlUpsert } from '../../../src/tools/sql/sql-upsert.ts';
import { type Ran, run } from '../../support/real-context.ts';

let database: TestDatabase;
let admin: pg.Pool;
let connections: SqlConnections;
let query: Tool;
let upsert: Tool;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Pool({ connectionString: database.url, max: 3 });
  const nowhere = new URL(database.url);
  nowhere.port = '1';
  const narrow = new URL(database.url);
  narrow.username = 'pawl_narrow';
  narrow.password = 's3cr3t';
  const wrong = new URL(narrow);
  wrong.password = 'wr0ng-s3cr3t';
  connections = new SqlConnections({
    urls: { shop: database.url, nowhere: nowhere.href, narrow: narrow.href, wrong: wrong.href },
  });
  query = sqlQuery(connections);
  upsert = sqlUpsert(connections);
});
afterAll(async () => {
  await connections?.close();
  await admin?.query('drop owned by pawl_narrow; drop role pawl_narrow').catch(() => undefined);
  await admin?.end();
  await database?.drop();
});
beforeEach(async () => {
  await admin.query(`
    drop table if exists item, pawl_effect cascade;
    create table item (id int primary key, name text not null default 'nameless', price numeric(10,2), tags text[], data jsonb, at timestamptz);
    insert into item (id, name, price) values (1, 'pump', 12.50), (2, 'hose', 3), (3, 'valve', null)`);
});

const at = { now: Date.now() };
type Row = Record<string, Json>;
type Done = {
  rows: Row[];
  columns: string[];
  count: number;
  isCut: boolean;
  written: number;
  skipped: number;
};
const done = (ran: Ran): Done => {
  if ('failure' in ran) throw new Error(`${ran.failure.code}: ${ran.failure.message}`);
  return ran.output as unknown as Done;
};
const failure = (ran: Ran) => {
  if ('output' in ran) throw new Error(`it succeeded: ${JSON.stringify(ran.output)}`);
  return { ...ran.failure, doubt: leavesDoubt(ran.failure) };
};
const ask = (sql: string, params: Json[] = [], more: Record<string, Json> = {}): Promise<Ran> =>
  run(query, { connection: 'shop', sql, params, ...more }, at);
const write = (args: Record<string, Json>, key = 'run:write:0'): Promise<Ran> =>
  run(upsert, { connection: 'shop', table: 'item', ...args }, { ...at, idempotencyKey: key });
const stored = async (sql: string): Promise<Row[]> => (await admin.query(sql)).rows;

describe('sql.query', () => {
  it('keeps its contract', async () => {
    await assertToolContract(query, {
      args: { connection: 'shop', sql: 'select id, name from item where id = $1', params: [1] },
      invalidArgs: [
        { connection: 'shop' },
        { connection: 'Shop', sql: 'select 1' },
        { connection: 'shop', sql: 'select 1', url: 'x' },
      ],
    });
  });

  it('gives rows by column; values are parameters and never text of the statement', async () => {
    const evil = "x'; drop table item; --";
    expect(
      done(await ask('select id, name from item where id <= $1 and name <> $2 order by id', [2, evil])),
    ).toEqual({
      columns: ['id', 'name'],
      rows: [
        { id: 1, name: 'pump' },
        { id: 2, name: 'hose' },
      ],
      count: 2,
      isCut: false,
    });
    expect(done(await ask('select id from item where id = any($1::int[])', [[2, 3]])).count).toBe(2);
    expect(done(await ask("select $1::jsonb->>'a' as a", [{ a: 'b' }])).rows).toEqual([{ a: 'b' }]);
    expect(done(await ask('select id from item where false'))).toMatchObject({
      columns: ['id'],
      rows: [],
      count: 0,
    });
  });

  it('reads every type without rounding', async () => {
    const [row] = done(
      await ask(`select true as yes, 7::int2 as small, 9007199254740991::int8 as big, 12.50::numeric as money,
        0.1::float8 as share, 'nan'::float8 as nan, 1234567890123456.78::numeric as huge, '\\x00ff'::bytea as bytes,
        '{"a":[1]}'::jsonb as data, array[1,null,3] as list, array['a','b,"c"'] as words, array[[1,2],[3,4]] as grid,
        timestamptz '2026-03-01 12:00:00.25+02' as instant, timestamp '2026-03-01 12:00:00' as local,
        date '2026-03-01' as day, interval '1 day 2 hours' as span, 'infinity'::timestamptz as never,
        '00000000-0000-4000-8000-000000000000'::uuid as id, null as nothing`),
    ).rows;
    expect(row).toEqual({
      yes: true,
      small: 7,
      big: 9007199254740991,
      money: 12.5,
      share: 0.1,
      nan: 'NaN',
      huge: '1234567890123456.78',
      bytes: 'AP8=',
      data: { a: [1] },
      list: [1, null, 3],
      words: ['a', 'b,"c"'],
      grid: [
        [1, 2],
        [3, 4],
      ],
      instant: '2026-03-01T10:00:00.25Z',
      local: '2026-03-01T12:00:00',
      day: '2026-03-01',
      span: 'P1DT2H',
      never: 'infinity',
      id: '00000000-0000-4000-8000-000000000000',
      nothing: null,
    });
  });

  it.each(['select 9007199254740993::int8 as id', `select '{"id":9007199254740993}'::json as id`])(
    'when an integer would be rounded (%s), it is refused or kept as text',
    async (sql) => {
      expect(failure(await ask(sql))).toMatchObject({ code: 'unsafe_integer', class: 'permanent' });
      expect(JSON.stringify(done(await ask(sql, [], { bigIntegers: 'strings' })).rows)).toContain(
        '"9007199254740993"',
      );
    },
  );

  it.each([
    ['a function that writes', "select nextval('s')"],
    ['data-modifying WITH', 'with gone as (delete from item returning id) select * from gone'],
    ['a table made of rows', 'select 1 as a into taken'],
    ['an analysed write', 'explain analyze delete from item'],
    ['a lock that is not for readers', 'select * from item for update'],
    ['a way out of the transaction', "select set_config('transaction_read_only', 'off', false)"],
  ])('cannot write: %s', async (_case, sql) => {
    await admin.query('drop sequence if exists s; create sequence s');
    expect(failure(await ask(sql))).toMatchObject({
      class: 'permanent',
      code: expect.stringMatching(/^sql_(read_only|refused)$/),
    });
    expect(await stored('select count(*)::int as n from item')).toEqual([{ n: 3 }]);
  });

  it.each([
    'delete from item',
    'commit',
    'set role none',
    'copy item to stdout',
    '/* select */ delete from item',
    '',
  ])('refuses %j before it is sent', async (sql) => {
    const ran = ask(sql);
    if (sql === '') await expect(ran).rejects.toThrow('refused');
    else expect(failure(await ran)).toMatchObject({ code: 'tool_input', class: 'permanent' });
  });

  it('takes one statement only, and comments before it', async () => {
    expect(failure(await ask('select 1; delete from item'))).toMatchObject({
      code: 'sql_refused',
      detail: { sqlState: '42601' },
    });
    expect(done(await ask('-- why\n/* a ** b */ (select 1 as a)')).rows).toEqual([{ a: 1 }]);
    expect(done(await ask('values (1), (2)')).count).toBe(2);
    expect(done(await ask('show server_version')).count).toBe(1);
  });

  it('when there are more rows or bytes than wanted, it says so or is cut, and the connection is fit for more', async () => {
    const many = "select g as id, repeat('x', 1000) as text from generate_series(1, 1000000) g";
    expect(failure(await ask(many, [], { maxRows: 10 }))).toMatchObject({
      code: 'sql_too_many_rows',
      class: 'permanent',
    });
    expect(failure(await ask(many, [], { maxRows: 100_000, maxBytes: 50_000 }))).toMatchObject({
      code: 'sql_result_too_large',
      detail: { maxBytes: 50_000 },
    });
    const cut = done(await ask(many, [], { maxRows: 100_000, maxBytes: 50_000, overflow: 'cut' }));
    expect(cut).toMatchObject({ isCut: true, count: 49 });
    expect(done(await ask(many, [], { maxRows: 450, overflow: 'cut' }))).toMatchObject({
      isCut: true,
      count: 450,
    });
    expect(done(await ask('select * from generate_series(1, 450)', [], { maxRows: 450 }))).toMatchObject({
      isCut: false,
      count: 450,
    });
    expect(done(await ask('select 1 as a')).rows).toEqual([{ a: 1 }]);
  });

  it('when two columns have one name, it asks for others', async () => {
    expect(failure(await ask('select 1 as a, 2 as a'))).toMatchObject({
      code: 'sql_columns',
      message: expect.stringContaining('"a"'),
    });
  });

  it('when a statement is wrong, the place is told, and no values of rows', async () => {
    expect(failure(await ask('select nme from item'))).toMatchObject({
      code: 'sql_refused',
      class: 'permanent',
      message: expect.stringMatching(/"shop".*"nme".*SQLSTATE 42703, at character 8/),
    });
    const cast = failure(await ask('select name::int from item'));
    expect(cast).toMatchObject({ code: 'sql_refused', detail: { sqlState: '22P02' } });
  });

  it('when it leaves a lock of the session behind, the next call does not have it', async () => {
    done(await ask('select pg_advisory_lock(77)'));
    failure(await ask('select pg_advisory_lock(78), 1 / 0'));
    expect(await stored("select count(*)::int as n from pg_locks where locktype = 'advisory'")).toEqual([
      { n: 0 },
    ]);
  });

  it('when the attempt is over, so is the statement', async () => {
    const controller = new AbortController();
    const sleeping = run(
      query,
      { connection: 'shop', sql: 'select pg_sleep(600)' },
      { ...at, signal: controller.signal },
    );
    const asleep =
      "select count(*)::int as n from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'";
    await expect.poll(() => stored(asleep)).toEqual([{ n: 1 }]);
    controller.abort(new AttemptAbort('timed_out', 'time is up'));
    expect(failure(await sleeping)).toMatchObject({ code: 'timed_out', class: 'timed_out' });
    await expect.poll(() => stored(asleep)).toEqual([{ n: 0 }]);
    expect(done(await ask('select 1 as a')).rows).toEqual([{ a: 1 }]);
  });

  it('when every connection is taken, a call that is aborted does not wait', async () => {
    const controllers = Array.from({ length: 7 }, () => new AbortController());
    const sleeping = controllers.map(({ signal }) =>
      run(query, { connection: 'shop', sql: 'select pg_sleep(600)' }, { ...at, signal }),
    );
    const asleep =
      "select count(*)::int as n from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'";
    await expect.poll(() => stored(asleep)).toEqual([{ n: 5 }]);
    for (const controller of controllers) controller.abort(new AttemptAbort('cancelled', 'stop'));
    for (const ran of await Promise.all(sleeping)) expect(failure(ran)).toMatchObject({ class: 'cancelled' });
    await expect.poll(() => stored(asleep)).toEqual([{ n: 0 }]);
    expect(done(await ask('select 1 as a')).rows).toEqual([{ a: 1 }]);
  });

  it('when the server ends the connection, it is worth another try', async () => {
    const sleeping = ask('select pg_sleep(600)');
    const end =
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'";
    await expect.poll(async () => (await stored(end)).length).toBe(1);
    expect(failure(await sleeping)).toMatchObject({ code: 'sql_unavailable', class: 'transient' });
    expect(done(await ask('select 1 as a')).rows).toEqual([{ a: 1 }]);
  });

  it('when nobody listens, a name is unknown or a password wrong, that is what is said', async () => {
    const named = (connection: string) => run(query, { connection, sql: 'select 1' }, at);
    expect(failure(await named('nowhere'))).toMatchObject({
      code: 'connection_failed',
      class: 'transient',
      notApplied: true,
    });
    expect(failure(await named('absent'))).toMatchObject({
      code: 'sql_connection_unknown',
      class: 'permanent',
      message: expect.stringContaining('shop, nowhere'),
    });
    const wrong = failure(await named('wrong'));
    expect(JSON.stringify(wrong)).not.toContain('s3cr3t');
  });
});

describe('sql.upsert', () => {
  it('keeps its contract', async () => {
    await assertToolContract(upsert, {
      args: { connection: 'shop', table: 'item', rows: [{ id: 9, name: 'nine' }], conflict: ['id'] },
      invalidArgs: [
        { connection: 'shop', table: 'item' },
        { connection: 'shop', table: 'a.b.c', rows: [] },
      ],
    });
  });

  it('inserts what is not there and updates what is, column by column', async () => {
    const rows = [
      {
        id: 2,
        price: 4.25,
        tags: ['wet', 'long'],
        data: { deep: [1, null] },
        at: '2026-03-01T12:00:00+02:00',
      },
      { id: 9, price: null, tags: null, data: 'text', at: null },
    ];
    expect(done(await write({ rows, conflict: ['id'], returning: ['id', 'name', 'data', 'at'] }))).toEqual({
      written: 2,
      skipped: 0,
      rows: [
        { id: 2, name: 'hose', data: { deep: [1, null] }, at: '2026-03-01T10:00:00Z' },
        { id: 9, name: 'nameless', data: 'text', at: null },
      ],
    });
    expect(await stored('select id, price::float8, tags from item where id in (2, 9) order by id')).toEqual([
      { id: 2, price: 4.25, tags: ['wet', 'long'] },
      { id: 9, price: null, tags: null },
    ]);
  });

  it('updates only what it is told to, or nothing', async () => {
    const rows = [
      { id: 1, name: 'other', price: 1 },
      { id: 7, name: 'seven', price: 7 },
    ];
    expect(done(await write({ rows, conflict: ['id'], update: ['price'] }, 'a'))).toMatchObject({
      written: 2,
    });
    expect(await stored('select name, price::float8 from item where id = 1')).toEqual([
      { name: 'pump', price: 1 },
    ]);
    expect(done(await write({ rows, conflict: ['id'], update: [] }, 'b'))).toMatchObject({
      written: 0,
      skipped: 2,
    });
  });

  it('V4: the same key applied twice writes once, and gives the first answer', async () => {
    await admin.query(
      'create table if not exists visit (id int generated always as identity, who text); truncate visit',
    );
    const args = { table: 'visit', rows: [{ who: 'ana' }, { who: 'bo' }], returning: ['id'] };
    const first = done(await write(args));
    // Somebody changed the rows meanwhile: the second attempt must not change them back.
    await admin.query("update visit set who = 'changed'");
    expect(done(await write(args))).toEqual(first);
    expect(await stored('select who from visit')).toEqual([{ who: 'changed' }, { who: 'changed' }]);
    done(await write(args, 'run:other:0'));
    expect(await stored('select count(*)::int as n from visit')).toEqual([{ n: 4 }]);
  });

  it('V4: two attempts at the same time write once, also when the ledger is not there yet', async () => {
    await admin.query(
      'create table if not exists visit (id int generated always as identity, who text); truncate visit',
    );
    const args = { table: 'visit', rows: [{ who: 'ana' }], returning: ['id'] };
    const all = await Promise.all(Array.from({ length: 5 }, () => write(args)));
    expect(new Set(all.map((ran) => JSON.stringify(done(ran)))).size).toBe(1);
    expect(await stored('select count(*)::int as n from visit')).toEqual([{ n: 1 }]);
  });

  it('when it fails, nothing is written and the key is free', async () => {
    const rows = [
      { id: 20, name: 'a' },
      { id: 20, name: 'b' },
    ];
    expect(failure(await write({ rows }))).toMatchObject({
      code: 'sql_refused',
      detail: { sqlState: '23505' },
      class: 'permanent',
    });
    expect(await stored('select count(*)::int as n from item')).toEqual([{ n: 3 }]);
    expect(await stored('select key from pawl_effect')).toEqual([]);
    done(await write({ rows: rows.slice(0, 1) }));
  });

  it('when the key comes with other arguments, it is another effect and refused', async () => {
    done(await write({ rows: [{ id: 30, name: 'a' }] }));
    expect(failure(await write({ rows: [{ id: 31, name: 'a' }] }))).toMatchObject({
      code: 'sql_key_reused',
      class: 'permanent',
    });
    expect(await stored('select id from item where id >= 30')).toEqual([{ id: 30 }]);
  });

  it('when the attempt ends before it commits, nothing is written; the next attempt writes', async () => {
    const holder = await admin.connect();
    await holder.query('begin; lock table item in exclusive mode');
    const controller = new AbortController();
    const args = { connection: 'shop', table: 'item', rows: [{ id: 40, name: 'a' }] };
    const options = { ...at, idempotencyKey: 'k', signal: controller.signal };
    const blocked = run(upsert, args, options);
    const waiting =
      "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into \"item\"%'";
    await expect.poll(() => stored(waiting)).toEqual([{ n: 1 }]);
    controller.abort(new AttemptAbort('timed_out', 'time is up'));
    expect(failure(await blocked)).toMatchObject({ class: 'timed_out' });
    await holder.query('rollback');
    holder.release();
    await expect.poll(() => stored(waiting)).toEqual([{ n: 0 }]);
    expect(await stored('select id from item where id = 40')).toEqual([]);
    done(await run(upsert, args, { ...at, idempotencyKey: 'k' }));
    expect(await stored('select id from item where id = 40')).toEqual([{ id: 40 }]);
  });

  it('takes names as names, whatever is in them', async () => {
    await admin.query(
      'create schema if not exists odd; drop table if exists odd."or""der"; create table odd."or""der" ("a b" int, "sel""ect" text)',
    );
    const rows = [{ 'a b': 1, 'sel"ect': "'; drop table item; --" }];
    expect(done(await write({ table: 'odd.or"der', rows, returning: ['sel"ect'] })).rows).toEqual([
      { 'sel"ect': "'; drop table item; --" },
    ]);
    expect(await stored('select count(*)::int as n from item')).toEqual([{ n: 3 }]);
  });

  it.each<[string, Record<string, Json>]>([
    ['rows of different columns', { rows: [{ id: 1 }, { name: 'a' }] }],
    ['rows without columns', { rows: [{}] }],
    ['an update without conflict', { rows: [{ id: 1 }], update: ['id'] }],
    ['an update of a column that is not given', { rows: [{ id: 1 }], conflict: ['id'], update: ['price'] }],
    ['a column to return twice', { rows: [{ id: 1 }], returning: ['id', 'id'] }],
  ])('refuses %s, and nothing was sent', async (_case, args) => {
    expect(failure(await write(args))).toMatchObject({
      code: 'tool_input',
      class: 'permanent',
      notApplied: true,
    });
  });

  it('when there are no rows, there is nothing to do', async () => {
    expect(done(await write({ rows: [] }))).toEqual({ written: 0, skipped: 0, rows: [] });
  });

  it('when the role may not make the ledger, it says what to make; when it is there, the role needs no more', async () => {
    await admin.query(`do $$ begin create role pawl_narrow login password 's3cr3t'; exception when duplicate_object then end $$;
      grant connect on database ${database.name} to pawl_narrow; grant insert, select, update on item to pawl_narrow`);
    const args = { connection: 'narrow', rows: [{ id: 50, name: 'a' }] };
    const refused = failure(await write(args));
    expect(refused).toMatchObject({ code: 'sql_ledger_missing', class: 'permanent' });
    const ddl = /(create table if not exists pawl_effect .*\));/.exec(refused.message)![1]!;
    await admin.query(`${ddl}; grant select, insert, update on pawl_effect to pawl_narrow`);
    expect(done(await write(args))).toMatchObject({ written: 1 });
    expect(
      failure(await run(query, { connection: 'narrow', sql: 'select * from pg_authid' }, at)),
    ).toMatchObject({
      code: 'sql_refused',
      detail: { sqlState: '42501' },
    });
  });
});

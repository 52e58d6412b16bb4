// Catches: two processes that migrate at once, a step that stays half applied, a process that hangs without a word (C52).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Migration } from '@mikro-orm/migrations';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { migrate, pendingMigrations } from '../src/index.ts';
import { MIGRATIONS } from '../src/migrations/list.ts';
import { openTestPool } from './support/seed.ts';

const RUN = fileURLToPath(new URL('../../../scripts/run.js', import.meta.url));

let database: TestDatabase;
let pool: pg.Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

/** A migrating process, with the lines it says as they come. */
class MigratingProcess {
  readonly child: ChildProcess;
  readonly lines: Record<string, unknown>[] = [];
  readonly ended: Promise<void>;
  #waiting: (() => void)[] = [];

  constructor(url: string, timeoutMs = 60_000) {
    const script = fileURLToPath(new URL('support/migrate-process.ts', import.meta.url));
    this.child = spawn(process.execPath, [RUN, script, url, String(timeoutMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.lines.push(JSON.parse(line));
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.ended = once(this.child, 'close').then(() => {
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  says(text: string): boolean {
    return this.lines.some((line) => String(line.log).includes(text));
  }

  get applied(): unknown {
    return this.lines.at(-1)?.applied;
  }

  /** Settles when it has said a line with the text, or has ended. */
  async saying(text: string): Promise<void> {
    while (!this.says(text) && this.child.exitCode === null && this.child.signalCode === null) {
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }
}

const names = MIGRATIONS.map((migration) => migration.name);

/** Everything that makes up the schema, as text. */
async function schemaOf(on: pg.Pool): Promise<unknown[]> {
  const { rows } = await on.query(`
    select table_name, column_name, data_type, is_nullable, column_default, collation_name
    from information_schema.columns where table_schema = 'public'
    union all
    select tablename, indexname, indexdef, null, null, null from pg_indexes where schemaname = 'public'
    order by 1, 2`);
  return rows;
}

async function appliedNames(): Promise<string[]> {
  return (await pool.query('select name from schema_migration order by id')).rows.map((row) => row.name);
}

async function exists(table: string): Promise<boolean> {
  return (await pool.query('select to_regclass($1) is not null as there', [table])).rows[0].there;
}

describe('several processes at once', () => {
  test('C52: of six processes one applies each step; the others find nothing left to do', async () => {
    const processes = Array.from({ length: 6 }, () => new MigratingProcess(database.url));
    await Promise.all(processes.map((each) => each.ended));
    expect(processes.map((each) => each.child.exitCode)).toEqual([0, 0, 0, 0, 0, 0]);
    const applied = processes.map((each) => each.applied);
    expect(applied.flat().sort()).toEqual(names);
    expect(await appliedNames()).toEqual(names);
  });

  test('C52: when the migrating process is killed half-way, the next one takes over and nothing is half applied', async () => {
    // This uncommitted table makes the step stop in its middle, after it has made other tables.
    const blocker = await pool.connect();
    await blocker.query('begin; create table artifact (blocks text)');
    const processes = Array.from({ length: 6 }, () => new MigratingProcess(database.url));
    await Promise.race(processes.map((each) => each.saying('Applying')));
    const victim = processes.find((each) => each.says('Applying'))!;
    const others = processes.filter((each) => each !== victim);
    await expect
      .poll(async () => (await pool.query(BLOCKED, [`pawl migrate ${victim.child.pid}`])).rows.length, POLL)
      .toBe(1);
    await Promise.all(others.map((each) => each.saying('waiting')));
    expect(others.every((each) => each.says('Another process is migrating'))).toBe(true);

    victim.child.kill('SIGKILL');
    await victim.ended;
    await Promise.race(others.map((each) => each.saying('Applying')));
    expect(await exists('workspace')).toBe(false);
    await blocker.query('rollback');
    blocker.release();

    await Promise.all(others.map((each) => each.ended));
    expect(others.map((each) => each.child.exitCode)).toEqual([0, 0, 0, 0, 0]);
    expect(others.flatMap((each) => each.applied as string[]).sort()).toEqual(names);
    expect(await appliedNames()).toEqual(names);
    const fresh = await createTestDatabase();
    await migrate(fresh.url);
    const freshPool = openTestPool(fresh.url);
    expect(await schemaOf(pool)).toEqual(await schemaOf(freshPool));
    await freshPool.end();
    await fresh.drop();
  });

  test('a process that waits in vain says so, ends with a clear error and has changed nothing', async () => {
    const holder = await pool.connect();
    await holder.query('begin; select pg_advisory_xact_lock(7241001)');
    const waiting = new MigratingProcess(database.url, 200);
    await waiting.ended;
    await holder.query('rollback');
    holder.release();
    expect(waiting.says('Another process is migrating the database')).toBe(true);
    expect(waiting.lines.at(-1)).toMatchObject({ code: 'migration_timeout' });
    expect(waiting.lines.at(-1)!.message).toContain('within 200 ms');
    expect(waiting.child.exitCode).toBe(1);
    expect(await exists('schema_migration')).toBe(false);
  });
});

const POLL = { timeout: 30_000, interval: 20 };
const BLOCKED = "select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'";

class AddNotes extends Migration {
  override async up(): Promise<void> {
    this.addSql('create table note (id int)');
  }
}
class BreakHalfWay extends Migration {
  override async up(): Promise<void> {
    this.addSql('create table half (id int)');
    this.addSql('create table note (id int)');
  }
}

describe('steps', () => {
  test('they apply in order, once; nothing is pending afterwards', async () => {
    expect(await pendingMigrations(database.url)).toEqual(names);
    expect(await migrate(database.url)).toEqual({ applied: names });
    expect(await migrate(database.url)).toEqual({ applied: [] });
    expect(await pendingMigrations(database.url)).toEqual([]);
  });

  test('when a step breaks, it leaves nothing, the steps before it stay, and the repaired step can follow', async () => {
    const good = { name: 'a-notes', class: AddNotes };
    await expect(
      migrate(database.url, { migrations: [good, { name: 'b-half', class: BreakHalfWay }] }),
    ).rejects.toThrow('"note" already exists');
    expect(await appliedNames()).toEqual(['a-notes']);
    expect(await exists('half')).toBe(false);
    class Repaired extends Migration {
      override async up(): Promise<void> {
        this.addSql('create table half (id int)');
      }
    }
    const repaired = await migrate(database.url, { migrations: [good, { name: 'b-half', class: Repaired }] });
    expect(repaired).toEqual({ applied: ['b-half'] });
  });

  test('a database of a newer release is refused by name, and left as it is', async () => {
    await migrate(database.url);
    await pool.query("insert into schema_migration (name) values ('9999-from-the-future')");
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: 'schema_newer',
      message: expect.stringContaining('9999-from-the-future'),
    });
    await expect(pendingMigrations(database.url)).rejects.toMatchObject({ code: 'schema_newer' });
  });

  test('0026: what intents of before have called is known afterwards', async () => {
    const at = names.indexOf('0026-journal-target');
    await migrate(database.url, { migrations: MIGRATIONS.slice(0, at) });
    await pool.query(
      `insert into journal (run_id, seq, type, path, attempt, at, data)
       select gen_random_uuid(), 2, e.type, 'pay', 1, now(), '{"v":1,"call":0,"target":"pay.charge@1"}'
       from (values ('intent.recorded'), ('outcome.succeeded')) as e (type)`,
    );
    await migrate(database.url);
    const { rows } = await pool.query('select type, target from journal order by type');
    expect(rows).toEqual([
      { type: 'intent.recorded', target: 'pay.charge@1' },
      { type: 'outcome.succeeded', target: null },
    ]);
  });

  test('the first step brings the default workspace and the partitions of this month and the next two', async () => {
    await migrate(database.url);
    const { rows } = await pool.query('select id, name from workspace');
    expect(rows).toEqual([{ id: '00000000-0000-7000-8000-000000000001', name: 'default' }]);
    for (const table of ['run', 'node_run', 'journal']) {
      for (const ahead of [-1, 0, 1, 2]) {
        const month = await pool.query(
          `select to_char(now() at time zone 'utc' + make_interval(months => $1), 'YYYYMM') as name`,
          [ahead],
        );
        expect(await exists(`${table}_p${month.rows[0].name}`)).toBe(true);
      }
      expect(await exists(`${table}_default`)).toBe(true);
    }
  });
});

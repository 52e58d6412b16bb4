import pg from 'pg';
import { createMigratedDatabase, type TestDatabase } from './database.ts';

/** A migrated database whose `now()` is what a test says. Connections opened from here on see it; `statement_timestamp()` runs on. */
export interface FrozenDatabase extends TestDatabase {
  /** Sets the clock and tells the engines that schedules have something to do, as a timer would. */
  setClock(instant: string | number): Promise<void>;
}

/** PostgreSQL looks into the schemas of `search_path` in order, and ours stands before its own. */
export async function createFrozenDatabase(instant: string): Promise<FrozenDatabase> {
  const database = await createMigratedDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    create schema test_clock;
    create table test_clock.shown (at timestamptz not null);
    insert into test_clock.shown values ('${instant}');
    create function test_clock.now() returns timestamptz language sql stable as 'select at from test_clock.shown';
    alter database ${database.name} set search_path = test_clock, pg_catalog, public;`);
  return {
    ...database,
    async setClock(to) {
      await client.query('update test_clock.shown set at = $1', [new Date(to).toISOString()]);
      await client.query(`select pg_notify('pawl_live', '{"schedules":true}')`);
    },
    async drop() {
      await client.end();
      await database.drop();
    },
  };
}

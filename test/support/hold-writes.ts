import pg from 'pg';
import { onTestFinished } from 'vitest';

/** Writes of one kind that wait inside their transactions until they are let go. */
export interface HeldWrites {
  /** Resolves when a write waits. */
  waiting(): Promise<void>;
  /** Lets the writes that wait and all later ones pass. */
  letGo(): Promise<void>;
  /** Ends the connections of the writes that wait, which undoes them, and lets later ones pass. */
  breakOff(): Promise<void>;
}

/** Longest time until a write waits: a test that gave up here says so instead of hanging. */
const WAITS_WITHIN_MS = 60_000;

let calls = 0;

/**
 * Makes certain writes to a table wait, at the longest until the test has finished. The trigger that does it stays: nobody waits
 * for a lock that nobody holds, and to take a trigger away from a table that others write to can end in a deadlock.
 *
 * @param what.when condition on `new` and `old`, in SQL
 */
export async function holdWrites(
  { databaseUrl }: { readonly databaseUrl: string },
  what: { readonly table: string; readonly on: 'insert' | 'update'; readonly when?: string },
): Promise<HeldWrites> {
  const lock = 20_161 + ++calls;
  const client = new pg.Client({ connectionString: databaseUrl });
  // A test that failed half-way must not spoil its second try and the tests after it.
  onTestFinished(() => client.end());
  await client.connect();
  await client.query(`
    create function public.hold_write_${calls}() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${lock}); return new; end $$;
    create trigger hold_write_${calls} before ${what.on} on ${what.table} for each row
      ${what.when ? `when (${what.when})` : ''} execute function public.hold_write_${calls}();
    select pg_advisory_lock(${lock})`);
  const held = `select pid from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  const count = async () => (await client.query(held)).rowCount;
  const none = async () => {
    while ((await count()) !== 0) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    async waiting() {
      const givenUpAt = Date.now() + WAITS_WITHIN_MS;
      while ((await count()) === 0) {
        if (Date.now() > givenUpAt)
          throw new Error(`No ${what.on} of ${what.table} where ${what.when ?? 'any'} came to wait.`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async letGo() {
      await client.query(`select pg_advisory_unlock(${lock})`);
      await none();
      await client.end();
    },
    async breakOff() {
      await client.query(`select pg_terminate_backend(pid) from (${held}) as write`);
      await none();
      await client.end();
    },
  };
}

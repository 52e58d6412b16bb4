import pg from 'pg';

/** Writes of one kind that wait inside their transactions until they are let go. */
export interface HeldWrites {
  /** Resolves when a write waits. */
  waiting(): Promise<void>;
  /** Lets the writes that wait and all later ones pass. */
  letGo(): Promise<void>;
  /** Ends the connections of the writes that wait, which undoes them, and lets later ones pass. */
  breakOff(): Promise<void>;
}

/** One at a time in a database. */
const LOCK = 20_161;

/**
 * Makes certain writes to a table wait.
 *
 * @param what.when condition on `new` and `old`, in SQL
 */
export async function holdWrites(
  { databaseUrl }: { readonly databaseUrl: string },
  what: { readonly table: string; readonly on: 'insert' | 'update'; readonly when?: string },
): Promise<HeldWrites> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    create function public.hold_write() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$;
    create trigger hold_write before ${what.on} on ${what.table} for each row
      ${what.when ? `when (${what.when})` : ''} execute function public.hold_write();
    select pg_advisory_lock(${LOCK})`);
  const held = `select pid from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  const none = async () => {
    while ((await client.query(held)).rowCount !== 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const remove = async () => {
    await client.query(`drop trigger hold_write on ${what.table}; drop function public.hold_write()`);
    await client.end();
  };
  return {
    async waiting() {
      while ((await client.query(held)).rowCount === 0) await new Promise((resolve) => setImmediate(resolve));
    },
    async letGo() {
      await client.query(`select pg_advisory_unlock(${LOCK})`);
      await none();
      await remove();
    },
    async breakOff() {
      await client.query(`select pg_terminate_backend(pid) from (${held}) as write`);
      await none();
      await remove();
    },
  };
}

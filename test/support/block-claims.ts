import pg from 'pg';

/** A database in which claims of a moment wait until they are let go. */
export interface BlockedClaims {
  /** Resolves when a claim waits. */
  waiting(): Promise<void>;
  /** Ends the connections of the claims that wait, which undoes them, and lets later ones pass. */
  breakOff(): Promise<void>;
}

/** Makes every claim of a ready node run wait inside its transaction. */
export async function blockClaims({ databaseUrl }: { readonly databaseUrl: string }): Promise<BlockedClaims> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    create function hold_claim() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(20161); return new; end $$;
    create trigger hold_claim before update on node_run for each row
      when (old.status = 'ready' and new.status = 'running') execute function hold_claim();
    select pg_advisory_lock(20161)`);
  const held = `select pid from pg_locks where locktype = 'advisory' and objid = 20161 and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  return {
    async waiting() {
      while ((await client.query(held)).rowCount === 0) await new Promise((resolve) => setImmediate(resolve));
    },
    async breakOff() {
      await client.query(`select pg_terminate_backend(pid) from (${held}) as claim`);
      while ((await client.query(held)).rowCount !== 0) await new Promise((resolve) => setImmediate(resolve));
      await client.query('drop trigger hold_claim on node_run; drop function hold_claim');
      await client.end();
    },
  };
}

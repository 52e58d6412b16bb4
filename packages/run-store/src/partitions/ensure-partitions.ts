import type { Pool, PoolClient } from 'pg';
import { inPlainTransaction } from '../plain-transaction.ts';
import { createPartitionSql, MONTHS_AHEAD, wantedPartitions } from './partition-sql.ts';

/** Key of the advisory lock that keeps two processes from making or dropping partitions at once. */
const PARTITION_LOCK = 7_241_002;

/**
 * Creates the partitions that are missing: previous month, current month, `monthsAhead` more and the default partition, for
 * run, node_run and journal. Safe to call at any time and from several processes at once. Fails with PostgreSQL's code 55P03
 * when a table is held by somebody else for longer than two seconds; calling again goes on where it stopped.
 *
 * @param monthsAhead default 2
 * @param now         whose months count; absent: the clock of the database
 * @returns names of the partitions made by this call
 */
export async function ensurePartitions(
  pool: Pool,
  { monthsAhead = MONTHS_AHEAD, now }: { monthsAhead?: number; now?: Date } = {},
): Promise<string[]> {
  const instant = now ?? (await databaseNow(pool));
  const wanted = wantedPartitions(instant, monthsAhead);
  const names = wanted.map((partition) => partition.name);
  // The common case takes no lock at all.
  if ((await existing(pool, names)).size === names.length) return [];
  const made: string[] = [];
  for (const partition of wanted) {
    // One transaction each: it then holds locks of one table only, so it cannot deadlock with writers of several.
    const isMade = await inPartitionTransaction(pool, async (client) => {
      if ((await existing(client, [partition.name])).size > 0) return false;
      for (const statement of createPartitionSql(partition)) await client.query(statement);
      return true;
    });
    if (isMade) made.push(partition.name);
  }
  return made;
}

/** Runs `work` in one transaction that no other partition work runs beside. @param lockWaitMs for a table that others hold */
export function inPartitionTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  lockWaitMs = 2_000,
): Promise<T> {
  return inPlainTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [PARTITION_LOCK]);
    // Writers queue up behind a change that waits for a long reader: better to give up and come again later.
    await client.query(`set local lock_timeout = ${lockWaitMs}`);
    return work(client);
  });
}

async function databaseNow(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select now() as now');
  return rows[0]!.now;
}

/**
 * Those of the names that are tables beside `run`. Asks the catalogue itself: `to_regclass` may answer from a cache that does
 * not know yet what another process did while this one waited for the lock.
 */
export async function existing(on: Pool | PoolClient, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await on.query<{ name: string }>(
    `select relname as name
     from pg_class
     where relname = any ($1::text[])
       and relnamespace = (select relnamespace from pg_class where oid = 'run'::regclass)`,
    [names],
  );
  return new Set(rows.map((row) => row.name));
}

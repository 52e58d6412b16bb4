import type { Pool, PoolClient } from 'pg';
import { writeReceipts } from '../effects/write-receipts.ts';
import { existing, inPartitionTransaction } from './ensure-partitions.ts';
import {
  addMonths,
  type Month,
  monthOfPartition,
  monthStartMs,
  PARTITIONED_TABLES,
  type PartitionedTable,
  partitionName,
} from './month.ts';

/**
 * What retention did. `kept` months hold runs that are not finished and therefore stay, whatever their age. `busy`: the month
 * that could not be dropped because somebody held a table all the time; the next call goes on with it and the ones behind it.
 */
export interface DroppedPartitions {
  readonly dropped: readonly string[];
  readonly kept: readonly { readonly month: string; readonly openRuns: number }[];
  readonly busy?: string;
  /** Receipts of effects that were written before their journals went. */
  readonly receipts: number;
}

interface Done {
  readonly dropped: string[];
  readonly kept: { month: string; openRuns: number }[];
  busy?: string;
  receipts: number;
}

/**
 * Drops every month that ended at or before `date`, with its runs, node runs and journals; of its effects receipts are kept. A
 * month with an unfinished run stays: retention never takes work away. The default partition stays. A process that dies here has
 * lost nothing: calling again goes on where it stopped.
 */
export async function dropPartitionsBefore(
  pool: Pool,
  date: Date,
  signal?: AbortSignal,
): Promise<DroppedPartitions> {
  const done: Done = { dropped: [], kept: [], receipts: 0 };
  for (const month of await expiredMonths(pool, date)) {
    if (signal?.aborted || done.busy !== undefined) break;
    try {
      await dropMonth(pool, month, done, signal);
    } catch (error) {
      if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
    }
  }
  return done;
}

/** Another process dropped what this one was looking at, and goes on with the month. */
const UNDEFINED_TABLE = '42P01';

async function dropMonth(
  pool: Pool,
  month: Month,
  done: Done,
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = partitionName('run', month).slice(-6);
  const openRuns = await openRunsIn(pool, month);
  if (openRuns > 0) return void done.kept.push({ month: name, openRuns });
  const runs = await existing(pool, [partitionName('run', month), partitionName('journal', month)]);
  // Once the runs are gone the receipts are written: they were before.
  if (runs.size === 2)
    done.receipts += await writeReceipts(pool, partitionName('journal', month), signal ? { signal } : {});
  if (signal?.aborted) return;
  for (const { table } of PARTITIONED_TABLES) {
    const found = await whenFree(() => dropPartition(pool, table, month, done.dropped));
    if (found === 'busy') {
      done.busy = name;
      return;
    }
    if (found > 0) return void done.kept.push({ month: name, openRuns: found });
  }
}

/** How often a drop is tried, how long one waits for a table that is held, and how long it lets others go first. */
const TRIES = 10;
const LOCK_WAIT_MS = 200;
const PAUSE_MS = 300;

/** Whoever waits for a whole table makes everybody else wait: so it waits shortly, and often. */
async function whenFree(drop: () => Promise<number>): Promise<number | 'busy'> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await drop();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (left <= 1) return 'busy';
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Drops one partition and notes its name, unless it is one of `run` with open runs, whose number is returned. */
function dropPartition(
  pool: Pool,
  table: PartitionedTable,
  month: Month,
  dropped: string[],
): Promise<number> {
  const name = partitionName(table, month);
  return inPartitionTransaction(
    pool,
    async (client) => {
      if ((await existing(client, [name])).size === 0) return 0;
      // Parent before child, as every other statement locks them.
      await client.query(`lock table only ${table} in access exclusive mode`);
      const openRuns = table === 'run' ? await countOpenRuns(client, name) : 0;
      if (openRuns > 0) return openRuns;
      await client.query(`drop table ${name}`);
      dropped.push(name);
      return 0;
    },
    LOCK_WAIT_MS,
  );
}

async function expiredMonths(pool: Pool, date: Date): Promise<Month[]> {
  const { rows } = await pool.query<{ month: string }>(
    `select distinct right(child.relname, 8) as month
     from pg_inherits
     join pg_class child on child.oid = inhrelid
     where inhparent = any ($1::regclass[])
     order by 1`,
    [PARTITIONED_TABLES.map(({ table }) => table)],
  );
  return rows
    .map((row) => monthOfPartition(row.month))
    .filter((month) => month !== undefined)
    .filter((month) => monthStartMs(addMonths(month, 1)) <= date.getTime());
}

async function openRunsIn(pool: Pool, month: Month): Promise<number> {
  const name = partitionName('run', month);
  return (await existing(pool, [name])).size === 0 ? 0 : countOpenRuns(pool, name);
}

async function countOpenRuns(on: Pool | PoolClient, partition: string): Promise<number> {
  const { rows } = await on.query<{ count: number }>(
    `select count(*)::int as count
     from ${partition}
     where status in ('pending', 'running', 'waiting', 'paused', 'cancelling', 'compensating')`,
  );
  return rows[0]!.count;
}

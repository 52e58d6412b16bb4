import type { Pool, PoolClient } from 'pg';
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

/** What retention did. `kept` months hold runs that are not finished and therefore stay, whatever their age. */
export interface DroppedPartitions {
  readonly dropped: readonly string[];
  readonly kept: readonly { readonly month: string; readonly openRuns: number }[];
}

/**
 * Drops every month that ended at or before `date`, with its runs, node runs and journals. A month with an unfinished run
 * stays: retention never takes work away. The default partition stays. Like `ensurePartitions` it may fail with 55P03 on a
 * busy table; calling again goes on where it stopped.
 */
export async function dropPartitionsBefore(pool: Pool, date: Date): Promise<DroppedPartitions> {
  const dropped: string[] = [];
  const kept: { month: string; openRuns: number }[] = [];
  for (const month of await expiredMonths(pool, date)) {
    const openRuns = await dropPartition(pool, 'run', month, dropped);
    if (openRuns > 0) {
      kept.push({ month: partitionName('run', month).slice(-6), openRuns });
      continue;
    }
    await dropPartition(pool, 'node_run', month, dropped);
    await dropPartition(pool, 'journal', month, dropped);
  }
  return { dropped, kept };
}

/** Drops one partition and notes its name, unless it is one of `run` with open runs, whose number is returned. */
function dropPartition(
  pool: Pool,
  table: PartitionedTable,
  month: Month,
  dropped: string[],
): Promise<number> {
  const name = partitionName(table, month);
  return inPartitionTransaction(pool, async (client) => {
    if ((await existing(client, [name])).size === 0) return 0;
    // Parent before child, as every other statement locks them.
    await client.query(`lock table only ${table} in access exclusive mode`);
    const openRuns = table === 'run' ? await countOpenRuns(client, name) : 0;
    if (openRuns > 0) return openRuns;
    await client.query(`drop table ${name}`);
    dropped.push(name);
    return 0;
  });
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

async function countOpenRuns(client: PoolClient, partition: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count
     from ${partition}
     where status in ('pending', 'running', 'waiting', 'paused', 'cancelling', 'compensating')`,
  );
  return rows[0]!.count;
}

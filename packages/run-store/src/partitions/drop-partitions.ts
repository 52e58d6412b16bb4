import type { Pool, PoolClient } from 'pg';
import { inPartitionTransaction } from './ensure-partitions.ts';
import {
  addMonths,
  type Month,
  monthOfPartition,
  monthStartMs,
  PARTITIONED_TABLES,
  partitionName,
} from './month.ts';

/** What retention did. `kept` months hold runs that are not finished and therefore stay, whatever their age. */
export interface DroppedPartitions {
  readonly dropped: readonly string[];
  readonly kept: readonly { readonly month: string; readonly openRuns: number }[];
}

/**
 * Drops every month that ended at or before `date`, with its runs, node runs and journals. A month with an unfinished run
 * stays: retention never takes work away. The default partition stays.
 */
export function dropPartitionsBefore(pool: Pool, date: Date): Promise<DroppedPartitions> {
  return inPartitionTransaction(pool, async (client) => {
    const dropped: string[] = [];
    const kept: { month: string; openRuns: number }[] = [];
    for (const month of await expiredMonths(client, date)) {
      // The partition of `run` is locked before it is looked at, so that no run of that month can open in between.
      const runs = partitionName('run', month);
      await client.query(`lock table ${runs} in access exclusive mode`);
      const openRuns = await countOpenRuns(client, runs);
      if (openRuns > 0) {
        kept.push({ month: runs.slice(-6), openRuns });
        continue;
      }
      for (const { table } of PARTITIONED_TABLES) {
        const name = partitionName(table, month);
        await client.query(`drop table if exists ${name}`);
        dropped.push(name);
      }
    }
    return { dropped, kept };
  });
}

async function expiredMonths(client: PoolClient, date: Date): Promise<Month[]> {
  const { rows } = await client.query<{ name: string }>(
    `select child.relname as name
     from pg_inherits
     join pg_class child on child.oid = inhrelid
     where inhparent = 'run'::regclass
     order by child.relname`,
  );
  return rows
    .map((row) => monthOfPartition(row.name))
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

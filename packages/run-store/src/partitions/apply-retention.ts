import type { Pool } from 'pg';
import { firstIdAt } from '../ids.ts';
import { type DroppedPartitions, dropPartitionsBefore } from './drop-partitions.ts';
import { addMonths, monthOf, monthStartMs } from './month.ts';

export interface Retention {
  /** Runs are kept for at least so many days after the end of the month in which they were made; 1 or more. */
  readonly days: number;
  /** Receipts of their effects are kept for so many days after they were sent; absent: for ever. */
  readonly receiptDays?: number;
}

const DAY_MS = 86_400_000;

/**
 * Drops what is past its retention, the current month and the one before excepted: whole months of runs whose runs have all ended, then what they held, then receipts that are
 * older still. Several at once are harmless, and a process that dies here has lost nothing.
 *
 * @param now absent: the clock of the database
 */
export async function applyRetention(
  pool: Pool,
  { days, receiptDays }: Retention,
  { now, signal }: { readonly now?: Date; readonly signal?: AbortSignal } = {},
): Promise<DroppedPartitions> {
  const nowMs = now?.getTime() ?? (await databaseNowMs(pool));
  // Partitions of the month before are made anew as long as they may be needed.
  const lastMonth = monthStartMs(addMonths(monthOf(new Date(nowMs)), -1));
  const before = new Date(Math.min(nowMs - days * DAY_MS, lastMonth));
  const dropped = await dropPartitionsBefore(pool, before, signal);
  await releaseHolds(pool, firstIdAt(before.getTime()), signal);
  await forgetTestVersions(pool);
  if (receiptDays !== undefined) await forgetReceipts(pool, new Date(nowMs - receiptDays * DAY_MS), signal);
  return dropped;
}

const AT_ONCE = 10_000;

/**
 * What dropped runs held is nobody's any more: large values of their journals, artifacts that their inputs named. Runs that are
 * about to be admitted are younger than `beforeId`. Indexes: primary keys.
 */
async function releaseHolds(pool: Pool, beforeId: string, signal: AbortSignal | undefined): Promise<void> {
  for (const table of ['held_value', 'used_artifact'])
    await inBatches(signal, () =>
      pool.query(
        `delete from ${table} where ctid = any (array(
           select h.ctid from ${table} h
           where h.run_id < $1 and not exists (select from run r where r.id = h.run_id)
           limit ${AT_ONCE}))`,
        [beforeId],
      ),
    );
}

/**
 * What test runs ran goes with them: each was kept anew when a run of it started, so one that is older than every run has none.
 * A day is left for starts that are under way. Index: run's primary key.
 */
async function forgetTestVersions(pool: Pool): Promise<void> {
  await pool.query(
    `delete from flow_version
     where number is null
       and created_at < coalesce((select created_at from run order by id limit 1), now()) - interval '1 day'`,
  );
}

/** Index: effect_receipt_by_age. */
async function forgetReceipts(pool: Pool, before: Date, signal: AbortSignal | undefined): Promise<void> {
  await inBatches(signal, () =>
    pool.query(
      `delete from effect_receipt where ctid = any (array(
         select e.ctid from effect_receipt e where e.at < $1 limit ${AT_ONCE}))`,
      [before],
    ),
  );
}

async function inBatches(
  signal: AbortSignal | undefined,
  remove: () => Promise<{ rowCount: number | null }>,
): Promise<void> {
  while (!signal?.aborted) {
    const { rowCount } = await remove();
    if ((rowCount ?? 0) < AT_ONCE) return;
  }
}

async function databaseNowMs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ now: Date }>('select now() as now');
  return rows[0]!.now.getTime();
}

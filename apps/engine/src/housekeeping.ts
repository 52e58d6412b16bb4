import {
  applyRetention,
  collectContent,
  ensurePartitions,
  forgetOld,
  type HotStore,
  type Retention,
} from '@pawl/run-store';
import type { Logger } from 'pino';

export interface HousekeepingParts {
  readonly store: HotStore;
  readonly logger: Logger;
  /** Undefined: runs are kept for ever. */
  readonly retention: Retention | undefined;
  /** Ends long work between two of its batches. */
  readonly signal: AbortSignal;
}
/** One thing to do; each goes on where an earlier one stopped, and several engines may do it at once. */
export interface Chore {
  readonly doing: string;
  readonly work: () => Promise<unknown>;
}

/** What is done once a day, in this order. One that fails does not keep the others. */
export function chores({ store, logger, retention, signal }: HousekeepingParts): Chore[] {
  const { pool } = store;
  return [
    { doing: 'making partitions', work: () => ensurePartitions(pool, {}) },
    { doing: 'forgetting what is old', work: () => forgetOld(pool) },
    ...(retention
      ? [
          {
            doing: 'dropping what is past its retention',
            work: () => retain(store, retention, logger, signal),
          },
        ]
      : []),
    {
      doing: 'collecting content that nobody refers to',
      work: async () => {
        const collected = await collectContent(pool, { signal });
        if (collected.contents > 0) logger.info(collected, 'collected content that nobody refers to');
      },
    },
  ];
}

async function retain(
  { pool }: HotStore,
  retention: Retention,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { dropped, kept, busy, receipts } = await applyRetention(pool, retention, { signal });
  if (dropped.length > 0) logger.info({ dropped, receipts }, 'dropped months that are past their retention');
  for (const { month, openRuns } of kept)
    logger.info(
      { month, openRuns },
      'a month is past its retention and stays, because runs of it have not ended',
    );
  if (busy !== undefined)
    logger.warn({ busy }, 'a month could not be dropped, because its tables were held; tried again tomorrow');
}

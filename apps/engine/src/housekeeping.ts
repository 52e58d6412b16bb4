import { collectContent, ensurePartitions, forgetOld, type HotStore } from '@pawl/run-store';
import type { Logger } from 'pino';

export interface HousekeepingParts {
  readonly store: HotStore;
  readonly logger: Logger;
  /** Ends long work between two of its batches. */
  readonly signal: AbortSignal;
}
/** One thing to do; each goes on where an earlier one stopped, and several engines may do it at once. */
export interface Chore {
  readonly doing: string;
  readonly work: () => Promise<unknown>;
}

/** What is done once a day, in this order. One that fails does not keep the others. */
export function chores({ store, logger, signal }: HousekeepingParts): Chore[] {
  const { pool } = store;
  return [
    { doing: 'making partitions', work: () => ensurePartitions(pool, {}) },
    { doing: 'forgetting what is old', work: () => forgetOld(pool) },
    {
      doing: 'collecting content that nobody refers to',
      work: async () => {
        const collected = await collectContent(pool, { signal });
        if (collected.contents > 0) logger.info(collected, 'collected content that nobody refers to');
      },
    },
  ];
}

import { type RetryPolicy, retryDelayMs } from '@pawl/dag-core';

/** Waits before each further try, in milliseconds, without what is added at random; of many the first ones. */
export function retryWaits(policy: RetryPolicy, most = 6): number[] {
  const waits: number[] = [];
  for (let failures = 1; waits.length < most; failures += 1) {
    const waitMs = retryDelayMs(failures, { ...policy, jitter: 0 }, 0);
    if (waitMs === undefined) break;
    waits.push(waitMs);
  }
  return waits;
}

import { findForgotten, type HotPool, ringThroughOutbox } from '@pawl/run-store';
import type { Finding, Treatment } from './finding.ts';

/** What nobody took for this long may have been forgotten; sweepers ring for it as well, after a minute. */
const FORGOTTEN_MS = 10_000;
const AT_ONCE = 10_000;

/** Looks for what is ready and nobody takes. */
export async function examineDoorbells(pool: HotPool, { isRepairing }: Treatment): Promise<Finding> {
  const forgotten = await findForgotten(pool, FORGOTTEN_MS, AT_ONCE);
  if (forgotten.length === 0)
    return { check: 'doorbells', ok: true, detail: 'nothing that is ready waits for long' };
  const found = `${forgotten.length} node runs and ends of runs are ready since more than ${FORGOTTEN_MS / 1_000} s`;
  if (!isRepairing)
    return {
      check: 'doorbells',
      ok: true,
      detail: `${found}: workers are busy, or doorbells were lost; engines ring again after a minute, "pawl doctor --repair" at once`,
    };
  await ringThroughOutbox(pool, forgotten);
  return { check: 'doorbells', ok: true, detail: `${found}; their doorbells were rung again` };
}

import { instantText } from '@pawl/dag-core';
import type { HotPool } from '../hot-pool.ts';
import { findHolders, type Holder } from '../sql/find-holders.ts';
import { isProvenDead } from './worker-identity.ts';

/** Who may still send an effect. */
export interface MayStillSend {
  readonly workerId: string;
  /** When it certainly will not any more, ISO 8601 in UTC; absent: when it ends. */
  readonly until?: string;
  /** What there is to do. */
  readonly hint: string;
}

/**
 * Which of these workers are not proven to have ended (crash.md §3.6). A worker sends nothing any more when its process is gone,
 * which another one on its host can see; or when it gets no more lease, the one it had is over, and its session is gone. One
 * that is stopped by a signal keeps its session: it may be right before sending, and nothing can take that away from it.
 */
export async function whoMayStillSend(
  pool: HotPool,
  workerIds: readonly string[],
): Promise<Map<string, MayStillSend>> {
  if (workerIds.length === 0) return new Map();
  const found = await findHolders(pool, [...new Set(workerIds)]);
  return new Map(found.filter((worker) => !hasEnded(worker)).map((worker) => [worker.id, described(worker)]));
}

const hasEnded = (worker: Holder): boolean =>
  isProvenDead(worker) || (worker.isStopped && worker.isLeaseOver && worker.isLockFree);

function described({ id: workerId, isStopped, isLockFree, leaseUntil, host, pid }: Holder): MayStillSend {
  if (isStopped && isLockFree) {
    const until = instantText(leaseUntil);
    return { workerId, until, hint: `Wait until ${until}, when its lease is over.` };
  }
  const [name] = host.split(' ');
  return {
    workerId,
    hint: isStopped
      ? `Its process still holds its connection to the database: end process ${pid} on ${name}, or let it go on.`
      : `It lives, and still works at the call: wait for its answer, or end process ${pid} on ${name}.`,
  };
}

import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray } from './array-literal.ts';
import { IS_LOCK_FREE } from './find-work-to-sweep.ts';

const statement: Statement = {
  name: 'find-holders',
  text: `
select w.id, w.host, w.pid, w.process_started as "processStarted", w.stopped_at is not null as "isStopped",
  w.lease_until <= now() as "isLeaseOver", extract(epoch from w.lease_until)::float8 * 1000 as "leaseUntil",
  ${IS_LOCK_FREE} as "isLockFree"
from unnest($1::uuid[]) as x(id) join worker w on w.id = x.id`,
};

/** What proves that a worker has ended, or not. */
export interface Holder {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly processStarted: string;
  /** It said goodbye, or was declared dead: it gets no more lease. */
  readonly isStopped: boolean;
  readonly isLeaseOver: boolean;
  /** Until when it may go by its lease; epoch milliseconds, database clock. */
  readonly leaseUntil: number;
  /** Nobody holds its session lock. */
  readonly isLockFree: boolean;
}

/** Workers by id; those that stopped so long ago that they are forgotten are left out. Index: worker's primary key. */
export const findHolders = (pool: HotPool, ids: readonly string[]): Promise<Holder[]> =>
  runStatement(pool, statement, [plainArray(ids)]);

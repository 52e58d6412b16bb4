import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray } from './array-literal.ts';

const statement: Statement = {
  name: 'delete-outbox',
  text: 'delete from outbox o using unnest($1::bigint[]) as x(id) where o.id = x.id',
};

/**
 * Forgets doorbells that the queue has taken. Losing this write rings them twice, which does no harm.
 * Index: outbox's primary key.
 */
export async function deleteOutbox(pool: HotPool, ids: readonly number[]): Promise<void> {
  await runStatement(pool, statement, [plainArray(ids)]);
}

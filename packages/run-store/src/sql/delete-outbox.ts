import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray } from './array-literal.ts';

const statement: Statement = {
  name: 'delete-outbox',
  text: 'delete from outbox where id = any ($1::bigint[])',
};

/**
 * Forgets doorbells that the queue has taken. Losing this write rings them twice, which does no harm.
 * Index: outbox's primary key. As a condition of the table's own, not as a join: the table is often empty when it is analysed,
 * and a join would then be planned as a walk over the whole of it, also when the queue was away and it has grown.
 */
export async function deleteOutbox(pool: HotPool, ids: readonly number[]): Promise<void> {
  await runStatement(pool, statement, [plainArray(ids)]);
}

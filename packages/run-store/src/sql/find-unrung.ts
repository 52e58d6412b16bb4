import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import type { OutboxBell } from '../use-cases/outbox-bell.ts';

const statement: Statement = {
  name: 'find-unrung',
  text: `
select id::float8 as "outboxId", run_id as "runId", path, pool, priority from outbox
where id > 0 and created_at < now() - $1::float8 * interval '1 millisecond'
order by id limit $2`,
};

/** Doorbells whose writer did not ring them in time: it died, or the queue was away. Index: outbox's primary key. */
export function findUnrung(pool: HotPool, olderThanMs: number, limit: number): Promise<OutboxBell[]> {
  return runStatement<OutboxBell>(pool, statement, [olderThanMs, limit]);
}

import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import type { OutboxBell } from '../use-cases/outbox-bell.ts';

const statement: Statement = {
  name: 'find-unrung',
  text: `
select o.id::float8 as "outboxId", o.run_id as "runId", o.path, o.pool, o.priority, r.workspace_id as "workspaceId"
from outbox o left join run r on r.id = o.run_id
where o.id > 0 and o.created_at < now() - $1::float8 * interval '1 millisecond'
order by o.id limit $2`,
};

/** Doorbells whose writer did not ring them in time: it died, or the queue was away. Indexes: primary keys. */
export function findUnrung(pool: HotPool, olderThanMs: number, limit: number): Promise<OutboxBell[]> {
  return runStatement<OutboxBell>(pool, statement, [olderThanMs, limit]);
}

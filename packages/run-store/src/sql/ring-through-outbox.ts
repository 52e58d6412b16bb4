import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';
import type { ForgottenBell } from './find-work-to-sweep.ts';

const statement: Statement = {
  name: 'ring-through-outbox',
  text: `
insert into outbox (run_id, path, pool, priority)
select b.run_id, b.path, b.pool, b.priority
from unnest($1::uuid[], $2::text[], $3::text[], $4::smallint[]) as b(run_id, path, pool, priority)`,
};

/** Writes doorbells for the relay of an engine to ring, for a process that has no queue of its own. */
export async function ringThroughOutbox(pool: HotPool, bells: readonly ForgottenBell[]): Promise<void> {
  if (bells.length === 0) return;
  await runStatement(pool, statement, [
    plainArray(bells.map((bell) => bell.runId)),
    textArray(bells.map((bell) => bell.path)),
    textArray(bells.map((bell) => bell.pool ?? undefined)),
    plainArray(bells.map((bell) => bell.priority ?? undefined)),
  ]);
}

import type { JournalEvent } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

const statement: Statement = {
  name: 'same-events',
  text: `
select j.seq, j.type, j.path, j.attempt, j.data::text as data from journal j
where j.run_id = $1 and j.seq >= $2 order by j.seq limit $3`,
};

const lock: Statement = {
  name: 'wait-for-run',
  text: 'select 1 from run where id = $1 for no key update',
};

/** The events a transaction wrote for one run. */
export interface WrittenEvents {
  readonly runId: string;
  readonly fromSeq: number;
  readonly events: readonly JournalEvent[];
}

/**
 * Whether a transaction whose commit was not answered did commit: a batch is all or nothing, so the events of one run tell.
 * The database may still be at it, so the run's lock is waited for first: it is free once the transaction has ended either way.
 * A batch without events is answered with false and decided again, which its facts bear (V3).
 */
export async function sameEvents(pool: HotPool, written: WrittenEvents | undefined): Promise<boolean> {
  if (!written) return false;
  const { runId, fromSeq, events } = written;
  await runStatement(pool, lock, [runId]);
  const rows = await runStatement<{ seq: number; type: string; path: string; attempt: number; data: string }>(
    pool,
    statement,
    [runId, fromSeq, events.length],
  );
  return (
    rows.length === events.length &&
    rows.every((row, i) => {
      const event = events[i]!;
      return (
        row.type === event.type &&
        row.path === event.path &&
        row.attempt === event.attempt &&
        row.data === JSON.stringify(event.data)
      );
    })
  );
}

import type { JournalEvent } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray } from './array-literal.ts';

const statement: Statement = {
  name: 'load-events',
  text: `
select j.run_id as "runId", j.seq, j.type, j.path, j.attempt, j.data, extract(epoch from j.at)::float8 * 1000 as at
from unnest($1::uuid[], $2::int[]) as x(run_id, seq)
join journal j on j.run_id = x.run_id and j.seq = x.seq`,
};

export type LoadedEvent = JournalEvent & {
  readonly runId: string;
  readonly seq: number;
  readonly at: number;
};

/** Single events by their place, such as the intent of an earlier attempt. Index: journal's primary key. */
export function loadEvents(
  pool: HotPool,
  keys: readonly { runId: string; seq: number }[],
): Promise<LoadedEvent[]> {
  return runStatement<LoadedEvent>(pool, statement, [
    plainArray(keys.map((key) => key.runId)),
    plainArray(keys.map((key) => key.seq)),
  ]);
}

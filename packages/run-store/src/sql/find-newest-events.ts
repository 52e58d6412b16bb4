import type { JournalEventType, RecordedEvent } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';

const statement: Statement = {
  name: 'find-newest-events',
  text: `
select x.run_id as "runId", j.seq, j.type, j.path, j.attempt, j.data, extract(epoch from j.at)::float8 * 1000 as at
from unnest($1::uuid[], $2::text[], $3::text[], $4::int[]) as x(run_id, path, type, after)
cross join lateral (
  select * from journal j
  where j.run_id = x.run_id and j.seq > x.after and j.path = x.path and j.type = x.type
  order by j.seq desc limit 1
) j`,
};

/** An event that is looked for behind a place of a journal. */
export interface EventWish {
  readonly runId: string;
  readonly path: string;
  readonly type: JournalEventType;
  readonly after: number;
}

/** The newest event of a type for each node run, after a place of its journal. Index: journal's primary key. */
export const findNewestEvents = (
  pool: HotPool,
  wishes: readonly EventWish[],
): Promise<(RecordedEvent & { readonly runId: string })[]> =>
  runStatement(pool, statement, [
    plainArray(wishes.map(({ runId }) => runId)),
    textArray(wishes.map(({ path }) => path)),
    plainArray(wishes.map(({ type }) => type)),
    plainArray(wishes.map(({ after }) => after)),
  ]);

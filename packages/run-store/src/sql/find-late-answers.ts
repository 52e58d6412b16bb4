import type { RecordedEvent } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';

const statement: Statement = {
  name: 'find-late-answers',
  text: `
select x.run_id as "runId", j.seq, j.type, j.path, j.attempt, j.data, extract(epoch from j.at)::float8 * 1000 as at
from unnest($1::uuid[], $2::text[], $3::int[]) as x(run_id, path, after)
cross join lateral (
  select * from journal j
  where j.run_id = x.run_id and j.seq > x.after and j.path = x.path and j.type = 'outcome.late'
  order by j.seq desc limit 1
) j`,
};

/** The newest answer that came too late for each node run, after a place of its journal. Index: journal's primary key. */
export const findLateAnswers = (
  pool: HotPool,
  places: readonly { readonly runId: string; readonly path: string; readonly after: number }[],
): Promise<(Extract<RecordedEvent, { type: 'outcome.late' }> & { readonly runId: string })[]> =>
  runStatement(pool, statement, [
    plainArray(places.map(({ runId }) => runId)),
    textArray(places.map(({ path }) => path)),
    plainArray(places.map(({ after }) => after)),
  ]);

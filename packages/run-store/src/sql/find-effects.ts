import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';
import type { NodeRunKey } from './load-node-runs.ts';

const statement: Statement = {
  name: 'find-effects',
  text: `
select n.run_id as "runId", n.path, n.intent_seq as "intentSeq", n.output_seq as "outputSeq"
from unnest($1::uuid[], $2::text[]) as x(run_id, path)
join node_run n on n.run_id = x.run_id and n.path = x.path
where n.intent_seq is not null and n.output_seq is not null`,
};

/** Where the journal holds what an effect was asked for and what it gave. */
export interface FoundEffect extends NodeRunKey {
  readonly intentSeq: number;
  readonly outputSeq: number;
}

/** Effects that have ended, by key; others are left out. Index: node_run's primary key. */
export const findEffects = (pool: HotPool, keys: readonly NodeRunKey[]): Promise<FoundEffect[]> =>
  runStatement(pool, statement, [
    plainArray(keys.map((key) => key.runId)),
    textArray(keys.map((key) => key.path)),
  ]);

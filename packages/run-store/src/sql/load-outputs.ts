import type { Failure, Json, ModelAnswer, NodeRunStatus, ToolCallFate } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';
import type { NodeRunKey } from './load-node-runs.ts';

const statement: Statement = {
  name: 'load-outputs',
  text: `
select x.run_id as "runId", x.path, n.status, n.failure, j.data
from unnest($1::uuid[], $2::text[]) as x(run_id, path)
join node_run n on n.run_id = x.run_id and n.path = x.path
left join journal j on j.run_id = n.run_id and j.seq = n.output_seq`,
};

/** What a node run ended with, as other nodes' expressions see it. */
export interface LoadedOutput {
  readonly runId: string;
  readonly path: string;
  readonly status: NodeRunStatus;
  readonly failure?: Failure;
  readonly output?: Json;
  /** Set instead of `output` when the value was put aside. */
  readonly outputRef?: { readonly hash: string; readonly bytes: number };
  /** Of the model call of an agent's turn: what the model answered, and what became of the calls it asked for. */
  readonly asked?: { readonly answer: ModelAnswer; readonly calls: readonly ToolCallFate[] };
}

type Row = Omit<LoadedOutput, 'output' | 'outputRef' | 'failure' | 'asked'> & {
  failure: Failure | null;
  data: {
    output?: Json;
    fallback?: Json;
    outputRef?: LoadedOutput['outputRef'];
    answer?: ModelAnswer;
    calls?: ToolCallFate[];
  } | null;
};

/** Outputs of node runs; those that were never reached are left out. Indexes: primary keys. */
export async function loadOutputs(pool: HotPool, keys: readonly NodeRunKey[]): Promise<LoadedOutput[]> {
  const rows = await runStatement<Row>(pool, statement, [
    plainArray(keys.map((key) => key.runId)),
    textArray(keys.map((key) => key.path)),
  ]);
  return rows.map(({ runId, path, status, failure, data }) => ({
    runId,
    path,
    status,
    ...(failure && { failure }),
    ...(data && 'outputRef' in data ? { outputRef: data.outputRef } : {}),
    ...(data && 'output' in data
      ? { output: data.output }
      : data && 'fallback' in data
        ? { output: data.fallback }
        : {}),
    ...(data?.calls && data.answer && { asked: { answer: data.answer, calls: data.calls } }),
  }));
}

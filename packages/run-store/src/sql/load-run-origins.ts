import type { RecordedEvent } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';
import type { NodeRunKey } from './load-node-runs.ts';

const origins: Statement = {
  name: 'load-run-origins',
  text: `
select r.id as "runId", r.workspace_id as "workspaceId", r.flow_name as flow, r.version_id as "versionId", r.mode,
  extract(epoch from r.created_at)::float8 * 1000 as "admittedAtMs", j.data as admitted
from unnest($1::uuid[]) as x(id) join run r on r.id = x.id join journal j on j.run_id = r.id and j.seq = 1`,
};

/** Where a run comes from: what was fixed when it was admitted. */
export interface RunOrigin {
  readonly runId: string;
  readonly workspaceId: string;
  readonly flow: string;
  readonly versionId: string;
  readonly mode: string;
  /** Epoch milliseconds, database clock. */
  readonly admittedAtMs: number;
  readonly admitted: Extract<RecordedEvent, { type: 'run.admitted' }>['data'];
}

/** Origins of runs; those that do not exist are left out. Indexes: primary keys. */
export const loadRunOrigins = (pool: HotPool, runIds: readonly string[]): Promise<RunOrigin[]> =>
  runStatement(pool, origins, [plainArray(runIds)]);

const starts: Statement = {
  name: 'load-node-run-starts',
  text: `
select n.run_id as "runId", n.path, extract(epoch from n.started_at)::float8 * 1000 as "startedAtMs"
from unnest($1::uuid[], $2::text[]) as x(run_id, path)
join node_run n on n.run_id = x.run_id and n.path = x.path
where n.started_at is not null`,
};

/** When node runs were first taken up: epoch milliseconds, database clock. Index: node_run's primary key. */
export const loadNodeRunStarts = (
  pool: HotPool,
  keys: readonly NodeRunKey[],
): Promise<(NodeRunKey & { readonly startedAtMs: number })[]> =>
  runStatement(pool, starts, [
    plainArray(keys.map((key) => key.runId)),
    textArray(keys.map((key) => key.path)),
  ]);

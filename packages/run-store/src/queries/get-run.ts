import type { Json, NodeRunStatus, RecordedEvent } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import type { RunDetail } from '../store-types.ts';
import { eventAt } from './events.ts';
import { findRun, type RunRef } from './find-run.ts';
import { type RunRow, runSummary } from './run-shapes.ts';
import { waitsOf } from './run-waits.ts';

/** A run with its input, its output and how many node runs are in each status; undefined when the workspace has none such. */
export async function getRun(orm: Orm, ref: RunRef): Promise<RunDetail | undefined> {
  const em = orm.fork();
  const run = await findRun(em, ref);
  if (!run) return undefined;
  const [waits, nodeRuns, admitted, ended] = await Promise.all([
    waitsOf(orm, [run]),
    countNodeRuns(orm, run.id),
    eventAt(orm, run.id, 1),
    run.outputSeq == null ? undefined : eventAt(orm, run.id, run.outputSeq),
  ]);
  const output = outputOf(ended);
  return {
    ...runSummary(run, waits(run.id)),
    input: admitted?.type === 'run.admitted' ? admitted.data.input : null,
    ...(output !== undefined && { output }),
    nodeRuns,
  };
}

function outputOf(event: RecordedEvent | undefined): Json | undefined {
  return event?.type === 'run.statusChanged' ? event.data.output : undefined;
}

async function countNodeRuns(orm: Orm, runId: RunRow['id']): Promise<Partial<Record<NodeRunStatus, number>>> {
  const { rows } = await orm.pool.query<{ status: NodeRunStatus; count: number }>(
    'select status, count(*)::int as count from node_run where run_id = $1 group by status',
    [runId],
  );
  return Object.fromEntries(rows.map((row) => [row.status, row.count]));
}

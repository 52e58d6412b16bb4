import type { TestOutput } from '@pawl/dag-core';
import { resolveEventData } from '../artifacts/large-values.ts';
import type { Orm } from '../entities/orm.ts';
import { isId } from '../ids.ts';

/** The journal's data of whatever ended a node run well. */
interface Ended {
  readonly output?: TestOutput['output'];
  readonly fallback?: TestOutput['output'];
  readonly ports?: readonly string[];
}

/**
 * What a node run of an earlier run of the flow gave; without a path the first one of the node that succeeded. Undefined when the
 * workspace has no such run of the flow, or it has no such output. Relies on the primary keys of run, node_run and journal.
 */
export async function recordedOutput(
  orm: Orm,
  wanted: {
    readonly workspaceId: string;
    readonly flow: string;
    readonly runId: string;
    readonly nodeId: string;
    readonly path?: string | undefined;
  },
): Promise<TestOutput | undefined> {
  const { workspaceId, flow, runId, nodeId, path } = wanted;
  if (!isId(runId)) return undefined;
  const { rows } = await orm.pool.query<{ path: string; data: string }>(
    `select n.path, j.data::text as data
     from run r join node_run n on n.run_id = r.id join journal j on j.run_id = n.run_id and j.seq = n.output_seq
     where r.id = $1 and r.workspace_id = $2 and r.flow_name = $3 and n.node_id = $4
       and n.status in ('succeeded', 'compensating', 'compensated') and n.kind not in ('item', 'turn', 'undo', 'probe', 'poll')
       and (n.path = $5 or ($5::text is null and (n.path = $4 or right(n.path, length($4) + 1) = '/' || $4)))
     order by n.path limit 1`,
    [runId, workspaceId, flow, nodeId, path ?? null],
  );
  const [row] = rows;
  if (!row) return undefined;
  const data = await resolveEventData(orm.pool, JSON.parse(row.data) as Ended);
  const output = data.output ?? data.fallback ?? null;
  return { origin: 'recorded', runId, path: row.path, output, ...(data.ports && { ports: data.ports }) };
}

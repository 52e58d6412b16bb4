import type { RunStatus } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import type { RecentRuns } from '../store-types.ts';

/** How many runs of a workspace are looked at, and how many of a flow are named. */
const LOOKED_AT = 1_000;
const NAMED = 10;

export const NO_RECENT_RUNS: RecentRuns = { runs: [], ended: 0, succeeded: 0 };

/**
 * What became of the newest runs of a workspace, by flow. It costs the same however many flows and runs there are: the runs are
 * the last of the index `run_by_workspace`. Test runs say nothing of a flow in earnest and do not count. A flow that has not run among them is not told of.
 */
export async function recentRuns(orm: Orm, workspaceId: string): Promise<Map<string, RecentRuns>> {
  const { rows } = await orm.pool.query<{
    flow: string;
    runs: { id: string; status: RunStatus }[];
    ended: number;
    succeeded: number;
  }>(
    `select flow_name as flow,
       json_agg(json_build_object('id', id, 'status', status) order by id desc) filter (where place <= $3) as runs,
       (count(*) filter (where status in ('succeeded', 'partial', 'failed')))::int as ended,
       (count(*) filter (where status = 'succeeded'))::int as succeeded
     from (
       select id, flow_name, status, row_number() over (partition by flow_name order by id desc) as place
       from (select id, flow_name, status from run where workspace_id = $1 and mode = 'live' order by id desc limit $2) newest
     ) placed
     group by flow_name`,
    [workspaceId, LOOKED_AT, NAMED],
  );
  return new Map(rows.map(({ flow, ...recent }) => [flow, recent]));
}

import type { NodeRunDetail, NodeRunSummary } from '@pawl/run-store';
import type { Handlers } from '../bind-routes.ts';
import { HttpProblem } from '../http-problem.ts';
import { notFoundBy } from '../read-parts.ts';
import type { RouteContext } from './context.ts';

type NodeRunRoutes = 'listNodeRuns' | 'listWork' | 'getNodeRun' | 'settleNodeRun';

/** Node runs of a run, named by their path. */
export function nodeRunHandlers({ store }: RouteContext): Pick<Handlers, NodeRunRoutes> {
  return {
    listNodeRuns: async ({ workspaceId, params: { runId }, query }) => {
      const page = await store.listNodeRuns({
        workspaceId,
        runId,
        node: query.node,
        path: query.path,
        cursor: query.cursor,
        limit: query.limit ?? 200,
      });
      if (!page) throw notFoundBy('runId', runId);
      return { status: 200, body: page };
    },

    getNodeRun: async ({ workspaceId, params: { runId }, query: { path } }) => {
      const nodeRun = await store.getNodeRun({ workspaceId, runId, path });
      if (nodeRun) return { status: 200, body: nodeRun };
      if (!(await store.getRun({ workspaceId, runId }))) throw notFoundBy('runId', runId);
      throw nodeRunNotFound(runId, path);
    },

    listWork: async ({ workspaceId, params: { runId } }) => {
      const work = await store.listWork({ workspaceId, runId });
      if (!work) throw notFoundBy('runId', runId);
      return { status: 200, body: work };
    },

    settleNodeRun: async ({ workspaceId, by, params, query, body }) => ({
      status: 200,
      body: summaryOf(
        await store.settleNodeRun({ workspaceId, ...params, path: query.path, settlement: body, by }),
      ),
    }),
  };
}

const nodeRunNotFound = (runId: string, path: string) =>
  new HttpProblem(
    'node_run_not_found',
    `Run ${runId} has no node run at path ${path.slice(0, 200)}: expected one that was touched; GET /v1/runs/${runId}/node-runs lists them.`,
  );

function summaryOf(nodeRun: NodeRunSummary & Partial<NodeRunDetail>): NodeRunSummary {
  const { output: _output, failure: _failure, events: _events, ...summary } = nodeRun;
  return summary;
}

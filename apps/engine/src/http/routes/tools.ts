import type { Handlers } from '../bind-routes.ts';
import type { RouteContext } from './context.ts';

/** What becomes of tools in the workspace. */
export function toolHandlers({ store, metrics }: RouteContext): Pick<Handlers, 'getToolUse' | 'tryTool'> {
  return {
    getToolUse: async ({ workspaceId, params }) => ({
      status: 200,
      body: await store.getToolUse({ workspaceId, ...params }),
    }),

    tryTool: async ({ workspaceId, by, params, body, request: { trace } }) => {
      const { args, allow = false } = body;
      const tried = { workspaceId, by, ...params, args, isAllowed: allow, ...(trace && { trace }) };
      const started = await store.tryTool(tried);
      metrics.starts.inc({ result: 'started' });
      return { status: 201, body: started, headers: { location: `/v1/runs/${started.runId}` } };
    },
  };
}

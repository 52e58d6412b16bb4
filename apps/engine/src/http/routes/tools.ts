import type { Handlers } from '../bind-routes.ts';
import type { RouteContext } from './context.ts';

/** What becomes of tools in the workspace. */
export function toolHandlers({ store }: RouteContext): Pick<Handlers, 'getToolUse'> {
  return {
    getToolUse: async ({ workspaceId, params }) => ({
      status: 200,
      body: await store.getToolUse({ workspaceId, ...params }),
    }),
  };
}

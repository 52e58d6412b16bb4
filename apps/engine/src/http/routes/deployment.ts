import type { Handlers } from '../bind-routes.ts';
import type { RouteContext } from './context.ts';

/** Who works, and how the engine is configured to keep things. */
export function deploymentHandlers({
  store,
  keeping,
}: RouteContext): Pick<Handlers, 'getWorkState' | 'getKeeping'> {
  return {
    getWorkState: async ({ workspaceId }) => ({ status: 200, body: await store.getWorkState(workspaceId) }),
    getKeeping: async () => ({ status: 200, body: keeping }),
  };
}

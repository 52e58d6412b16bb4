import type { Handlers } from '../bind-routes.ts';
import type { RouteContext } from './context.ts';

/** The window of a limit that names none: a minute, as most providers count. */
const DEFAULT_WINDOW_MS = 60_000;

/** Limits of calls. */
export function limitHandlers({
  store,
}: RouteContext): Pick<Handlers, 'listLimits' | 'setLimit' | 'removeLimit'> {
  const all = async (workspaceId: string) => ({
    status: 200 as const,
    body: { items: await store.listLimits(workspaceId) },
  });
  return {
    listLimits: ({ workspaceId }) => all(workspaceId),

    setLimit: async ({ workspaceId, body }) => {
      await store.setLimit({ workspaceId, windowMs: DEFAULT_WINDOW_MS, ...body });
      return all(workspaceId);
    },

    removeLimit: async ({ workspaceId, query }) => {
      await store.removeLimit({ workspaceId, target: query.target });
      return all(workspaceId);
    },
  };
}

import type { Handlers } from '../bind-routes.ts';
import type { RouteContext } from './context.ts';

/** Credentials of the workspace. The log tells who set which, and nothing of what (V13). */
export function credentialHandlers({
  store,
}: RouteContext): Pick<Handlers, 'listCredentials' | 'setCredential' | 'removeCredential'> {
  return {
    listCredentials: async ({ workspaceId }) => ({
      status: 200,
      body: await store.listCredentials(workspaceId),
    }),

    setCredential: async ({ workspaceId, by, body: { name, value }, request }) => {
      const set = await store.setCredential({ workspaceId, credential: name, value, by });
      request.log.info({ by, credential: name }, 'a credential was set');
      return { status: 200, body: set };
    },

    removeCredential: async ({ workspaceId, by, params, request }) => {
      const removed = await store.removeCredential({ workspaceId, ...params });
      request.log.info({ by, ...params }, 'a credential was removed');
      return { status: 200, body: removed };
    },
  };
}

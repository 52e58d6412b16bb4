import type { Handlers } from '../bind-routes.ts';
import { notFoundBy } from '../read-parts.ts';
import type { RouteContext } from './context.ts';

type InboxRoutes = 'listInbox' | 'countInbox' | 'getQuestion' | 'answerQuestion';

/** The inbox: everything that waits for a person, and the one door through which people answer. */
export function inboxHandlers({ store }: RouteContext): Pick<Handlers, InboxRoutes> {
  return {
    listInbox: async ({ workspaceId, by, query: { mine, ...filter } }) => ({
      status: 200,
      body: await store.listInbox(workspaceId, { ...filter, ...(mine === 'true' && { by }) }),
    }),

    countInbox: async ({ workspaceId, by, query: { mine, ...filter } }) => ({
      status: 200,
      body: await store.countInbox(workspaceId, { ...filter, ...(mine === 'true' && { by }) }),
    }),

    getQuestion: async ({ workspaceId, params: { question } }) => {
      const found = await store.getQuestion({ workspaceId, question });
      if (!found) throw notFoundBy('question', question);
      return { status: 200, body: found };
    },

    answerQuestion: async ({ workspaceId, by, params, body }) => ({
      status: 200,
      body: await store.answerQuestion({ workspaceId, ...params, by, answer: body }),
    }),
  };
}

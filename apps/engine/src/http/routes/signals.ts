import { randomUUID } from 'node:crypto';
import type { Handlers } from '../bind-routes.ts';
import type { RouteContext } from './context.ts';

/** Signals: messages from outside to runs that wait for them. */
export function signalHandlers({ store }: RouteContext): Pick<Handlers, 'sendSignal' | 'listSignals'> {
  return {
    sendSignal: async ({ workspaceId, by, body }) => {
      const { name, key = '', payload = null, id = randomUUID(), runId } = body;
      const toRun = runId === undefined ? {} : { toRun: runId.toLowerCase() };
      const sent = await store.sendSignal({ workspaceId, by, name, key, payload, id, ...toRun });
      return { status: sent.result === 'sent' ? 201 : 200, body: sent };
    },

    listSignals: async ({ workspaceId, query }) => ({
      status: 200,
      body: await store.listSignals(workspaceId, query),
    }),
  };
}

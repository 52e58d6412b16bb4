import type { Handlers, Parsers } from '../bind-routes.ts';
import { parseDelivery } from '../hooks.ts';
import { accessHandlers } from './access.ts';
import { artifactHandlers } from './artifacts.ts';
import { callbackHandlers } from './callbacks.ts';
import type { RouteContext } from './context.ts';
import { credentialHandlers } from './credentials.ts';
import { deploymentHandlers } from './deployment.ts';
import { effectHandlers } from './effects.ts';
import { eventHandlers } from './events.ts';
import { flowHandlers } from './flows.ts';
import { inboxHandlers } from './inbox.ts';
import { limitHandlers } from './limits.ts';
import { liveHandlers } from './live.ts';
import { nodeRunHandlers } from './node-runs.ts';
import { parseStart } from './parse-start.ts';
import { runHandlers } from './runs.ts';
import { scheduleHandlers } from './schedules.ts';
import { serviceHandlers } from './service.ts';
import { signalHandlers } from './signals.ts';
import { testHandlers } from './tests.ts';
import { toolHandlers } from './tools.ts';
import { webhookHandlers } from './webhooks.ts';

/** A handler for every route of the contract. */
export function allHandlers(context: RouteContext): Handlers {
  return {
    ...accessHandlers(context),
    ...credentialHandlers(context),
    ...flowHandlers(context),
    ...testHandlers(context),
    ...runHandlers(context),
    ...nodeRunHandlers(context),
    ...inboxHandlers(context),
    ...signalHandlers(context),
    ...callbackHandlers(context),
    ...limitHandlers(context),
    ...eventHandlers(context),
    ...liveHandlers(context),
    ...artifactHandlers(context),
    ...effectHandlers(context),
    ...scheduleHandlers(context),
    ...webhookHandlers(context),
    ...toolHandlers(context),
    ...deploymentHandlers(context),
    ...serviceHandlers(context),
  };
}

/** Routes whose bodies are not simply parsed. */
export const ownParsers = ({ store }: RouteContext): Parsers => ({
  startRun: ({ workspaceId }) => parseStart(store, workspaceId),
  deliver: (_, request) => parseDelivery(store, request),
});

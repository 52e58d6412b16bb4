import { accessRoutes } from './access.ts';
import { artifactRoutes } from './artifacts.ts';
import { callbackRoutes } from './callbacks.ts';
import { credentialRoutes } from './credentials.ts';
import { deploymentRoutes } from './deployment.ts';
import { effectRoutes } from './effects.ts';
import { eventRoutes } from './events.ts';
import { flowRoutes } from './flows.ts';
import { inboxRoutes } from './inbox.ts';
import { limitRoutes } from './limits.ts';
import { liveRoutes } from './live.ts';
import { nodeRunRoutes } from './node-runs.ts';
import { runRoutes } from './runs.ts';
import { scheduleRoutes } from './schedules.ts';
import { serviceRoutes } from './service.ts';
import { signalRoutes } from './signals.ts';
import { testRoutes } from './tests.ts';
import { toolRoutes } from './tools.ts';
import { webhookRoutes } from './webhooks.ts';

/** The whole API, by operation id. Server, client, OpenAPI document and tests are all made from this table. */
export const routes = {
  ...accessRoutes,
  ...credentialRoutes,
  ...flowRoutes,
  ...testRoutes,
  ...runRoutes,
  ...nodeRunRoutes,
  ...inboxRoutes,
  ...signalRoutes,
  ...callbackRoutes,
  ...limitRoutes,
  ...eventRoutes,
  ...liveRoutes,
  ...artifactRoutes,
  ...effectRoutes,
  ...scheduleRoutes,
  ...webhookRoutes,
  ...toolRoutes,
  ...deploymentRoutes,
  ...serviceRoutes,
};
export type Routes = typeof routes;
export type RouteName = keyof Routes;
export { STREAM_EVENTS } from './events.ts';
export { LIVE_EVENTS } from './live.ts';

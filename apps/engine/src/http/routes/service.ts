import { openApiDocument } from '@pawl/api';
import type { JsonObject } from '@pawl/dag-core';
import { type Handlers, Raw } from '../bind-routes.ts';
import type { RouteContext } from './context.ts';

type ServiceRoutes =
  | 'listTools'
  | 'listModels'
  | 'getFlowSchema'
  | 'getOpenApi'
  | 'getHealth'
  | 'getReadiness'
  | 'getMetrics';

/** What the engine says of itself. */
export function serviceHandlers(context: RouteContext): Pick<Handlers, ServiceRoutes> {
  let openApi: JsonObject | undefined;
  return {
    listTools: async () => ({ status: 200, body: { items: await context.tools() } }),
    listModels: async () => ({ status: 200, body: { items: await context.models() } }),
    getFlowSchema: async () => ({ status: 200, body: context.flowSchema }),
    getOpenApi: async () => {
      openApi ??= openApiDocument(context.version) as JsonObject;
      return { status: 200, body: openApi };
    },
    getHealth: async () => ({ status: 200, body: { status: 'ok' } }),

    getReadiness: async () => {
      const checks = await context.store.ready();
      const ready = Object.values(checks).every(Boolean);
      return { status: ready ? 200 : 503, body: { ready, checks: { ...checks } } };
    },

    getMetrics: async () => ({
      status: 200,
      body: new Raw(await context.metrics.registry.metrics()),
      headers: { 'content-type': context.metrics.registry.contentType },
    }),
  };
}

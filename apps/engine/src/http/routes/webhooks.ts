import type { Webhook } from '@pawl/run-store';
import type { Handlers } from '../bind-routes.ts';
import { startOfDelivery } from '../hooks.ts';
import type { RouteContext } from './context.ts';

type WebhookRoutes =
  | 'listWebhooks'
  | 'createWebhook'
  | 'getWebhook'
  | 'changeWebhook'
  | 'deleteWebhook'
  | 'rotateWebhookSecret'
  | 'deliver';

/** Webhooks: addresses that start runs for whoever can sign. */
export function webhookHandlers({ store, metrics }: RouteContext): Pick<Handlers, WebhookRoutes> {
  return {
    listWebhooks: async ({ workspaceId, query }) => {
      const page = await store.listWebhooks({ workspaceId, ...query });
      return { status: 200, body: { ...page, items: page.items.map(shown) } };
    },

    createWebhook: async ({ workspaceId, body }) => {
      const { webhook, secret } = await store.createWebhook({ workspaceId, spec: body });
      return {
        status: 201,
        body: { webhook: shown(webhook), secret },
        headers: { location: `/v1/webhooks/${body.name}` },
      };
    },

    getWebhook: async ({ workspaceId, params }) => ({
      status: 200,
      body: shown(await store.getWebhook({ workspaceId, ...params })),
    }),

    changeWebhook: async ({ workspaceId, params, body }) => ({
      status: 200,
      body: shown(await store.changeWebhook({ workspaceId, ...params, changes: body })),
    }),

    deleteWebhook: async ({ workspaceId, params }) => {
      const webhook = await store.getWebhook({ workspaceId, ...params });
      await store.deleteWebhook({ workspaceId, ...params });
      return { status: 200, body: shown(webhook) };
    },

    rotateWebhookSecret: async ({ workspaceId, params, body }) => {
      const { webhook, secret } = await store.rotateWebhookSecret({ workspaceId, ...params, ...body });
      return { status: 200, body: { webhook: shown(webhook), secret } };
    },

    deliver: async ({ request, body }) => {
      const started = await store.startRun(startOfDelivery(request, body));
      metrics.starts.inc({ result: started.result });
      return { status: started.result === 'started' ? 201 : 200, body: started };
    },
  };
}

const shown = (webhook: Webhook) => ({ ...webhook, url: `/v1/hooks/${webhook.id}` });

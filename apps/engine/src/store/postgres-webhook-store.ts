import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findHook,
  getWebhook,
  type HotStore,
  listWebhooks,
  noteRefusal,
  type Orm,
  rotateWebhookSecret,
} from '@pawl/run-store';
import type { WebhookStore } from '../http/index.ts';

/** What the routes of webhooks ask. */
export function postgresWebhookStore({ orm, hot }: { orm: Orm; hot: HotStore }): WebhookStore {
  return {
    listWebhooks: (request) => listWebhooks(orm, request),
    createWebhook: (request) => createWebhook(orm, request),
    getWebhook: (ref) => getWebhook(orm, ref),
    changeWebhook: (request) => changeWebhook(orm, request),
    deleteWebhook: (ref) => deleteWebhook(orm, ref),
    rotateWebhookSecret: (request) => rotateWebhookSecret(orm, request),
    findHook: (webhookId) => findHook(hot.pool, webhookId),
    noteRefusal: (webhookId, refusal) => noteRefusal(hot.pool, webhookId, refusal),
  };
}

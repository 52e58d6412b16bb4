import { defineEntity, p } from '@mikro-orm/core';

/** What deliveries of a webhook are signed with; without an end the one in use, with one the one before it. */
export const WebhookSecretEntity = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  properties: {
    webhookId: p.uuid().name('webhook_id').primary(),
    id: p.uuid().primary(),
    secret: p.text(),
    createdAt: p.datetime().name('created_at'),
    expiresAt: p.datetime().name('expires_at').nullable(),
  },
});

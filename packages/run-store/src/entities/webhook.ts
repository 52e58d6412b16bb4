import { defineEntity, p } from '@mikro-orm/core';
import { JsonText } from './json-text.ts';

/** A webhook: an address that starts runs of a flow. Its secrets lie in a table of their own. */
export const WebhookEntity = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid().name('workspace_id'),
    name: p.text(),
    flowName: p.text().name('flow_name'),
    isEnabled: p.boolean().name('is_enabled'),
    preset: p.text().$type<'pawl' | 'github'>(),
    signatureHeader: p.text().name('signature_header'),
    timestampHeader: p.text().name('timestamp_header').nullable(),
    deliveryHeader: p.text().name('delivery_header'),
    toleranceMs: p.integer().name('tolerance_ms'),
    inputFrom: p.text().name('input_from').$type<'body' | 'request'>(),
    headerNames: p.type(JsonText).name('header_names'),
    lastRefusal: p.type(JsonText).name('last_refusal').nullable(),
    createdAt: p.datetime().name('created_at'),
    updatedAt: p.datetime().name('updated_at'),
  },
});

import { defineEntity, p } from '@mikro-orm/core';
import { JsonText } from './json-text.ts';

/** One immutable state of a flow, named by the hash of its graph: published, or, without a number, made for a test run. */
export const FlowVersionEntity = defineEntity({
  name: 'FlowVersion',
  tableName: 'flow_version',
  properties: {
    workspaceId: p.uuid().name('workspace_id').primary(),
    id: p.text().primary(),
    flowId: p.uuid().name('flow_id'),
    number: p.integer().nullable(),
    document: p.type(JsonText),
    createdAt: p.datetime().name('created_at'),
  },
});

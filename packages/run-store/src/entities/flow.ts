import { defineEntity, p } from '@mikro-orm/core';
import { JsonText } from './json-text.ts';

/** A flow with its draft. */
export const FlowEntity = defineEntity({
  name: 'Flow',
  tableName: 'flow',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid().name('workspace_id'),
    name: p.text(),
    title: p.text().nullable(),
    draft: p.type(JsonText),
    revision: p.integer(),
    publishedVersionId: p.text().name('published_version_id').nullable(),
    pausedAt: p.datetime().name('paused_at').nullable(),
    pausedBy: p.text().name('paused_by').nullable(),
    isHidden: p.boolean().name('is_hidden').default(false),
    createdAt: p.datetime().name('created_at'),
    updatedAt: p.datetime().name('updated_at'),
  },
});

import { defineEntity, p } from '@mikro-orm/core';

/** A tenant. Every other row belongs to one (V14). */
export const WorkspaceEntity = defineEntity({
  name: 'Workspace',
  tableName: 'workspace',
  properties: {
    id: p.uuid().primary(),
    name: p.text().unique(),
    createdAt: p.datetime().name('created_at'),
  },
});

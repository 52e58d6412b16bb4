import { defineEntity, p } from '@mikro-orm/core';
import type { Role } from '@pawl/dag-core';

/** A key that speaks for a workspace; only its hash is stored. */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid().name('workspace_id'),
    name: p.text(),
    hash: p.text().unique(),
    prefix: p.text(),
    role: p.text().$type<Role>(),
    createdAt: p.datetime().name('created_at'),
    createdBy: p.text().name('created_by').nullable(),
    usedAt: p.datetime().name('used_at').nullable(),
    revokedAt: p.datetime().name('revoked_at').nullable(),
  },
});

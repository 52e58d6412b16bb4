import { defineEntity, p } from '@mikro-orm/core';
import type { Role } from '@pawl/dag-core';

/** A person who signs in by name and password; of the password only its hash is stored. */
export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'workspace_user',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid().name('workspace_id'),
    name: p.text(),
    role: p.text().$type<Role>(),
    passwordHash: p.text().name('password_hash'),
    createdAt: p.datetime().name('created_at'),
    signedInAt: p.datetime().name('signed_in_at').nullable(),
  },
});

import { defineEntity, p } from '@mikro-orm/core';

/** One version of a named result; its bytes lie in chunks under their hash. */
export const ArtifactEntity = defineEntity({
  name: 'Artifact',
  tableName: 'artifact',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid().name('workspace_id'),
    runId: p.uuid().name('run_id').nullable(),
    flowName: p.text().name('flow_name').nullable(),
    path: p.text().nullable(),
    attempt: p.integer().nullable(),
    madeBy: p.text().name('made_by').nullable(),
    name: p.text(),
    version: p.integer(),
    mediaType: p.text().name('media_type'),
    bytes: p.bigint('number'),
    hash: p.text(),
    createdAt: p.datetime().name('created_at'),
  },
});

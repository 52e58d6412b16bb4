import { ArtifactEntity } from '../entities/artifact.ts';
import type { Orm } from '../entities/orm.ts';
import { isId } from '../ids.ts';
import { findRun, type RunRef } from '../queries/find-run.ts';
import { type ArtifactRow, type ArtifactSummary, artifactSummary } from './artifact-shapes.ts';
import { readChunks } from './chunks.ts';

/** An artifact and its bytes, chunk by chunk. */
export interface ArtifactContent {
  readonly artifact: ArtifactSummary;
  readonly content: AsyncIterable<Buffer>;
}

/** An artifact by its id; undefined when the workspace has none such (V14). */
export async function getArtifact(
  orm: Orm,
  { workspaceId, artifactId }: { workspaceId: string; artifactId: string },
): Promise<ArtifactContent | undefined> {
  if (!isId(artifactId)) return undefined;
  const row = await orm.fork().findOne(ArtifactEntity, { id: artifactId.toLowerCase(), workspaceId });
  return row ? { artifact: artifactSummary(row), content: readChunks(orm.pool, row.hash) } : undefined;
}

/** Artifacts of a run in the order they were made; undefined when the workspace has no such run (V14). */
export async function listRunArtifacts(orm: Orm, ref: RunRef): Promise<ArtifactSummary[] | undefined> {
  const em = orm.fork();
  const run = await findRun(em, ref);
  if (!run) return undefined;
  const rows = await em.find(
    ArtifactEntity,
    { workspaceId: ref.workspaceId, runId: run.id },
    { orderBy: { id: 'asc' } },
  );
  return rows.map(artifactSummary);
}

/**
 * Artifacts of every run of a flow, newest first.
 *
 * @param limit default 100
 */
export async function listFlowArtifacts(
  orm: Orm,
  { workspaceId, flow, limit = 100 }: { workspaceId: string; flow: string; limit?: number },
): Promise<ArtifactSummary[]> {
  const em = orm.fork();
  const rows = await em.execute<ArtifactRow[]>(
    `select artifact.*
     from artifact
     join run on run.id = artifact.run_id
     where artifact.workspace_id = ? and run.workspace_id = artifact.workspace_id and run.flow_name = ?
     order by artifact.id desc
     limit ?`,
    [workspaceId, flow, limit],
  );
  return rows.map((row) => artifactSummary(em.map(ArtifactEntity, row)));
}

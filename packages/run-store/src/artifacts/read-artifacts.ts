import { ArtifactEntity } from '../entities/artifact.ts';
import type { Orm } from '../entities/orm.ts';
import { isId } from '../ids.ts';
import { cursorAfterId, idOfCursor, pageOf, pageSize } from '../queries/cursor.ts';
import { findRun, type RunRef } from '../queries/find-run.ts';
import type { Page } from '../store-types.ts';
import { type ArtifactRow, type ArtifactSummary, artifactSummary } from './artifact-shapes.ts';
import { readChunks } from './chunks.ts';

const SIZES = { usual: 50, most: 200 };

/** Names an artifact in a workspace. */
export interface ArtifactRef {
  readonly workspaceId: string;
  readonly artifactId: string;
}
/** An artifact and its bytes, chunk by chunk. */
export interface ArtifactContent {
  readonly artifact: ArtifactSummary;
  readonly content: AsyncIterable<Buffer>;
}

/** An artifact by its id; undefined when the workspace has none such (V14). */
export async function getArtifact(orm: Orm, ref: ArtifactRef): Promise<ArtifactSummary | undefined> {
  if (!isId(ref.artifactId)) return undefined;
  const row = await orm
    .fork()
    .findOne(ArtifactEntity, { id: ref.artifactId.toLowerCase(), workspaceId: ref.workspaceId });
  return row ? artifactSummary(row) : undefined;
}

/** An artifact with its bytes; undefined when the workspace has none such (V14). */
export async function openArtifact(orm: Orm, ref: ArtifactRef): Promise<ArtifactContent | undefined> {
  const artifact = await getArtifact(orm, ref);
  return artifact && { artifact, content: readChunks(orm.pool, artifact.hash) };
}

/**
 * Artifacts of a run in the order they were made, page by page.
 *
 * @param limit 1…200, default 50
 * @returns undefined when the workspace has no such run (V14)
 * @throws {StoreError} `cursor_invalid`
 */
export async function listArtifacts(
  orm: Orm,
  { cursor, limit, ...ref }: RunRef & { cursor?: string; limit?: number },
): Promise<Page<ArtifactSummary> | undefined> {
  const em = orm.fork();
  const run = await findRun(em, ref);
  if (!run) return undefined;
  const size = pageSize(limit, SIZES);
  const rows = await em.find(
    ArtifactEntity,
    {
      workspaceId: ref.workspaceId,
      runId: run.id,
      ...(cursor !== undefined && { id: { $gt: idOfCursor(cursor) } }),
    },
    { orderBy: { id: 'asc' }, limit: size + 1 },
  );
  return pageOf(rows.map(artifactSummary), size, (last) => cursorAfterId(last.id));
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

import { ArtifactEntity } from '../entities/artifact.ts';
import type { Orm } from '../entities/orm.ts';
import { isId } from '../ids.ts';
import { type ArtifactSummary, artifactSummary } from './artifact-shapes.ts';
import { type ByteRange, readContent } from './chunks.ts';

/** Names an artifact in a workspace. */
export interface ArtifactRef {
  readonly workspaceId: string;
  readonly artifactId: string;
}
/** An artifact and its bytes, or a part of them, chunk by chunk. */
export interface ArtifactContent {
  readonly artifact: ArtifactSummary;
  readonly read: (range?: ByteRange) => AsyncIterable<Buffer>;
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
  return artifact && { artifact, read: (range) => readContent(orm.pool, artifact, range) };
}

import { isId } from '../ids.ts';
import { type ContentRef, type Queryable, readContent } from './chunks.ts';
import type { ArtifactRef } from './get-artifact.ts';

/**
 * The bytes of an artifact as they are asked for, for a tool; undefined when the workspace has none such (V14). The hash of
 * an artifact is no key to its bytes: it may be known outside the workspace.
 */
export async function readArtifact(
  db: Queryable,
  ref: ArtifactRef,
): Promise<AsyncIterable<Buffer> | undefined> {
  if (!isId(ref.artifactId)) return undefined;
  const { rows } = await db.query<ContentRef>(
    'select hash, bytes::float8 as bytes from artifact where id = $1 and workspace_id = $2',
    [ref.artifactId, ref.workspaceId],
  );
  return rows[0] && readContent(db, rows[0]);
}

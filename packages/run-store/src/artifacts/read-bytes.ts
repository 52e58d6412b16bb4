import { isId } from '../ids.ts';
import { type Queryable, readChunks } from './chunks.ts';
import type { ArtifactRef } from './read-artifacts.ts';

/**
 * All bytes of an artifact at once, for a tool that asked for them; undefined when the workspace has none such (V14). The
 * hash of an artifact is no key to its bytes: it may be known outside the workspace.
 */
export async function readArtifactBytes(db: Queryable, ref: ArtifactRef): Promise<Buffer | undefined> {
  if (!isId(ref.artifactId)) return undefined;
  const { rows } = await db.query<{ hash: string }>(
    'select hash from artifact where id = $1 and workspace_id = $2',
    [ref.artifactId, ref.workspaceId],
  );
  if (!rows[0]) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of readChunks(db, rows[0].hash)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

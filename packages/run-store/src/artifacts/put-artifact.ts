import type { Pool, PoolClient } from 'pg';
import { storableLabel } from '../entities/label.ts';
import { newId } from '../ids.ts';
import type { ArtifactSummary } from './artifact-shapes.ts';
import { type Content, claimContent, discardUpload, type Upload, uploadContent } from './upload-content.ts';

export interface PutArtifact {
  readonly workspaceId: string;
  readonly runId: string;
  /** Path and attempt of the node run that makes it. */
  readonly path: string;
  readonly attempt: number;
  readonly name: string;
  readonly mediaType: string;
  readonly content: Content;
}

/**
 * Stores content as the next version of a named artifact of a run. Equal bytes are stored once. A node run that is executed
 * again and puts the same bytes under the same name gets the artifact it made before, so that repeating it is harmless.
 *
 * @throws what the content throws while it is read; nothing is kept then
 */
export async function putArtifact(pool: Pool, request: PutArtifact): Promise<ArtifactSummary> {
  const put = { ...request, name: storableLabel(request.name), mediaType: storableLabel(request.mediaType) };
  const upload = await uploadContent(pool, put.content);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const artifact = await nameContent(client, put, upload);
    await client.query('commit');
    client.release();
    return artifact;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    await discardUpload(pool, upload.uploadName).catch(() => {});
    throw error;
  }
}

async function nameContent(client: PoolClient, put: PutArtifact, upload: Upload): Promise<ArtifactSummary> {
  await claimContent(client, upload);
  // Versions of one name count up one by one.
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [`${put.runId} ${put.name}`]);
  return (await findMade(client, put, upload)) ?? (await insertArtifact(client, put, upload));
}

const COLUMNS = `id, name, version, media_type as "mediaType", bytes::float8 as bytes, hash, run_id as "runId", path, attempt,
  to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`;

/** Relies on the unique index over (workspace_id, run_id, name, version). */
async function findMade(
  client: PoolClient,
  put: PutArtifact,
  { hash }: Upload,
): Promise<ArtifactSummary | undefined> {
  const { rows } = await client.query<ArtifactSummary>(
    `select ${COLUMNS}
     from artifact
     where workspace_id = $1 and run_id = $2 and name = $3 and path = $4 and hash = $5 and media_type = $6
     order by version desc
     limit 1`,
    [put.workspaceId, put.runId, put.name, put.path, hash, put.mediaType],
  );
  return rows[0];
}

async function insertArtifact(
  client: PoolClient,
  put: PutArtifact,
  { hash, bytes }: Upload,
): Promise<ArtifactSummary> {
  const { rows } = await client.query<ArtifactSummary>(
    `insert into artifact (id, workspace_id, run_id, path, attempt, name, version, media_type, bytes, hash)
     select $1, $2, $3, $4, $5, $6, coalesce(max(version), 0) + 1, $7, $8, $9
     from artifact
     where workspace_id = $2 and run_id = $3 and name = $6
     returning ${COLUMNS}`,
    [newId(), put.workspaceId, put.runId, put.path, put.attempt, put.name, put.mediaType, bytes, hash],
  );
  return rows[0]!;
}

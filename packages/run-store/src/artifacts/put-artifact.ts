import type { Pool, PoolClient } from 'pg';
import { storableLabel } from '../entities/label.ts';
import { newId } from '../ids.ts';
import { inPlainTransaction } from '../plain-transaction.ts';
import type { ArtifactSummary } from './artifact-shapes.ts';
import { type Content, claimContent, discardUpload, type Upload, uploadContent } from './upload-content.ts';

export interface PutArtifact {
  readonly workspaceId: string;
  /** The node run that makes it; absent: a person or program that uploads it. */
  readonly from?: { readonly runId: string; readonly path: string; readonly attempt: number };
  /** Who uploads it: `user:<name>`, `key:<name>` or `local`. */
  readonly by?: string;
  readonly name: string;
  readonly mediaType: string;
  readonly content: Content;
}
/** `isNew`: false when the same bytes were put before, and this is the artifact that came of it. */
export interface Put {
  readonly artifact: ArtifactSummary;
  readonly isNew: boolean;
}

/**
 * Stores content as the next version of a named artifact: of a run, or of the uploads of a workspace. Equal bytes are stored
 * once. Doing it again is harmless: a node run that is executed again and puts the same bytes under the same name gets the
 * artifact it made before, and so does an upload whose bytes are those of the newest version.
 *
 * @throws {StoreError} `upload_interrupted`; and what the content throws while it is read: nothing is kept then
 */
export async function putArtifact(pool: Pool, request: PutArtifact): Promise<Put> {
  const put = { ...request, name: storableLabel(request.name), mediaType: storableLabel(request.mediaType) };
  const upload = await uploadContent(pool, put.content);
  try {
    return await inPlainTransaction(pool, (client) => nameContent(client, put, upload));
  } catch (error) {
    await discardUpload(pool, upload.uploadName).catch(() => {});
    throw error;
  }
}

async function nameContent(client: PoolClient, put: PutArtifact, upload: Upload): Promise<Put> {
  await claimContent(client, upload);
  // Versions of one name count up one by one.
  const series = `${put.from?.runId ?? put.workspaceId} ${put.name}`;
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [series]);
  const made = put.from ? await findMade(client, put, upload) : await findNewest(client, put, upload);
  return made
    ? { artifact: made, isNew: false }
    : { artifact: await insertArtifact(client, put, upload), isNew: true };
}

const COLUMNS = `id, id as "artifactId", name, version, media_type as "mediaType", bytes::float8 as bytes, hash, run_id as "runId", flow_name as flow, path,
  attempt, made_by as by, to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`;

/** The same bytes of the same node run. Relies on the unique index over (workspace_id, run_id, name, version). */
async function findMade(
  client: PoolClient,
  { workspaceId, from, name, mediaType }: PutArtifact,
  { hash }: Upload,
): Promise<ArtifactSummary | undefined> {
  const { rows } = await client.query<ArtifactSummary>(
    `select ${COLUMNS}
     from artifact
     where workspace_id = $1 and run_id = $2 and name = $3 and path = $4 and hash = $5 and media_type = $6
     order by version desc
     limit 1`,
    [workspaceId, from!.runId, name, from!.path, hash, mediaType],
  );
  return rows[0] && withoutNulls(rows[0]);
}

/** The newest upload of the name, if it has the same bytes. Relies on the same index. */
async function findNewest(
  client: PoolClient,
  { workspaceId, name, mediaType }: PutArtifact,
  { hash }: Upload,
): Promise<ArtifactSummary | undefined> {
  const { rows } = await client.query<ArtifactSummary>(
    `select *
     from (
       select ${COLUMNS}
       from artifact
       where workspace_id = $1 and run_id is null and name = $2
       order by version desc
       limit 1
     ) newest
     where hash = $3 and "mediaType" = $4`,
    [workspaceId, name, hash, mediaType],
  );
  return rows[0] && withoutNulls(rows[0]);
}

async function insertArtifact(
  client: PoolClient,
  { workspaceId, from, by, name, mediaType }: PutArtifact,
  { hash, bytes }: Upload,
): Promise<ArtifactSummary> {
  const { rows } = await client.query<ArtifactSummary>(
    `insert into artifact (id, workspace_id, run_id, path, attempt, made_by, name, version, media_type, bytes, hash, flow_name)
     select $1, $2, $3::uuid, $4, $5, $6, $7, coalesce(max(version), 0) + 1, $8, $9, $10,
       (select flow_name from run where id = $3::uuid)
     from artifact
     where workspace_id = $2 and ${from ? 'run_id = $3' : 'run_id is null'} and name = $7
     returning ${COLUMNS}`,
    [
      newId(),
      workspaceId,
      from?.runId ?? null,
      from?.path ?? null,
      from?.attempt ?? null,
      by ?? null,
      name,
      mediaType,
      bytes,
      hash,
    ],
  );
  return withoutNulls(rows[0]!);
}

const withoutNulls = (row: ArtifactSummary): ArtifactSummary =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as ArtifactSummary;

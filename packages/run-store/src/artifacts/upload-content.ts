import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { newId } from '../ids.ts';
import { CHUNK_BYTES, cutChunks, writeChunks } from './chunks.ts';

/** Bytes given at once or as they come. Text is stored as UTF-8. */
export type Content = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** Content that lies in the database under the name of its upload, until `claimContent` gives it the name of its hash. */
export interface Upload {
  readonly uploadName: string;
  readonly hash: string;
  readonly bytes: number;
}

/**
 * Stores content chunk by chunk while it comes and hashes it on the way; memory holds one chunk. Nobody can see it yet: a
 * source that breaks off leaves nothing but chunks under a name that no artifact has.
 */
export async function uploadContent(pool: Pool, content: Content): Promise<Upload> {
  const uploadName = `upload:${newId()}`;
  const hash = createHash('sha256');
  let bytes = 0;
  let index = 0;
  try {
    for await (const chunk of chunksOf(content)) {
      hash.update(chunk);
      bytes += chunk.length;
      await writeChunks(pool, { hash: uploadName, index, chunks: [chunk] });
      index += 1;
    }
  } catch (error) {
    await discardUpload(pool, uploadName);
    throw error;
  }
  return { uploadName, hash: hash.digest('hex'), bytes };
}

/**
 * Gives uploaded content its hash as name; where the same content is there already, the upload goes. Inside a transaction.
 *
 * Content under the hash may also be half there, from a value whose writer died: what is missing is then filled in, which
 * fits because everything is cut at the same places.
 */
export async function claimContent(client: PoolClient, { uploadName, hash, bytes }: Upload): Promise<void> {
  // Two uploads of the same bytes must not both rename.
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [hash]);
  const present = await storedBytes(client, hash);
  if (present === 0) {
    await client.query('update artifact_chunk set hash = $1 where hash = $2', [hash, uploadName]);
    return;
  }
  if (present < bytes) {
    await client.query(
      `insert into artifact_chunk (hash, index, data)
       select $1, index, data
       from artifact_chunk
       where hash = $2
       on conflict (hash, index) do nothing`,
      [hash, uploadName],
    );
  }
  await discardUpload(client, uploadName);
}

async function storedBytes(client: PoolClient, hash: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    'select coalesce(sum(octet_length(data)), 0)::float8 as bytes from artifact_chunk where hash = $1',
    [hash],
  );
  return rows[0]!.bytes;
}

/** Removes the chunks of an upload that is not wanted. */
export async function discardUpload(db: Pool | PoolClient, uploadName: string): Promise<void> {
  await db.query('delete from artifact_chunk where hash = $1', [uploadName]);
}

/** Chunks of exactly {@link CHUNK_BYTES}, the last one shorter, whatever the sizes that come in. */
async function* chunksOf(content: Content): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const part of partsOf(content)) {
    held.push(
      typeof part === 'string'
        ? Buffer.from(part)
        : Buffer.from(part.buffer, part.byteOffset, part.byteLength),
    );
    heldBytes += held.at(-1)!.length;
    if (heldBytes < CHUNK_BYTES) continue;
    const chunks = cutChunks(Buffer.concat(held));
    const rest = chunks.at(-1)!.length < CHUNK_BYTES ? chunks.pop()! : undefined;
    yield* chunks;
    held = rest ? [rest] : [];
    heldBytes = rest?.length ?? 0;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}

function partsOf(content: Content): AsyncIterable<string | Uint8Array> | (string | Uint8Array)[] {
  return typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
}

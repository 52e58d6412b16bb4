import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { StoreError } from '../errors.ts';
import { newId } from '../ids.ts';
import { CHUNK_BYTES, type ContentRef, cutChunks, storedBytes, writeChunks } from './chunks.ts';

/** Bytes given at once or as they come. Text is stored as UTF-8. */
export type Content = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** Content that lies in the database under the name of its upload, until `claimContent` gives it the name of its hash. */
export interface Upload extends ContentRef {
  readonly uploadName: string;
}

/**
 * Stores content chunk by chunk while it comes and hashes it on the way; memory holds one chunk. Nobody can see it yet: a
 * source that breaks off leaves nothing, and a process that dies leaves chunks that nobody holds, which are collected later.
 * Whether the same content is there already is not asked before all of it has come (V14).
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
      await writeChunks(pool, { hash: uploadName, bytes: 0, index, chunks: [chunk] });
      index += 1;
    }
  } catch (error) {
    await discardUpload(pool, uploadName);
    throw error;
  }
  return { uploadName, hash: hash.digest('hex'), bytes };
}

/**
 * Gives uploaded content its hash as name; where the same content is there already, the upload goes. Inside the transaction
 * that makes something hold the content.
 *
 * Content under the hash may also be half there, from a value whose writer died: what is missing is then filled in, which
 * fits because everything is cut at the same places.
 *
 * @throws {StoreError} `upload_interrupted` when the upload paused for so long that it was collected as garbage
 */
export async function claimContent(client: PoolClient, { uploadName, hash, bytes }: Upload): Promise<void> {
  await client.query('select from content where hash = $1 for update', [uploadName]);
  if ((await storedBytes(client, uploadName)) !== bytes) throw new StoreError('upload_interrupted');
  // Two uploads of the same bytes take turns here, and so does a garbage collection.
  await writeChunks(client, { hash, bytes, index: 0, chunks: [] });
  const present = await storedBytes(client, hash);
  if (present === 0) {
    await client.query('update artifact_chunk set hash = $1 where hash = $2', [hash, uploadName]);
  } else if (present < bytes) {
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

/** Removes an upload that is not wanted, with its chunks. */
export async function discardUpload(db: Pool | PoolClient, uploadName: string): Promise<void> {
  await db.query('delete from content where hash = $1', [uploadName]);
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

import type { Pool, PoolClient } from 'pg';
import { StoreError } from '../errors.ts';

/** Bytes per chunk; only the last one of a content is shorter. */
export const CHUNK_BYTES = 256 * 1024;
/** Chunks that a reader holds at once: 2 MB. */
const CHUNKS_AT_ONCE = 8;

/** What may run a statement: a pool, or a client inside a transaction. */
export type Queryable = Pick<Pool | PoolClient, 'query'>;

/** Bytes under their hash (SHA-256, hex). */
export interface ContentRef {
  readonly hash: string;
  readonly bytes: number;
}
/** A part of a content: from `start` up to, not including, `end`, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Stores chunks `index`, `index + 1`, … of a content. Chunks that are there already stay as they are: same hash, same bytes.
 *
 * The content's own row is touched first: that waits for a garbage collection which is removing the content just now, and
 * keeps the next one away until this is committed. With `heldBy` the run holds the content from here on.
 */
export async function writeChunks(
  db: Queryable,
  write: ContentRef & {
    readonly index: number;
    readonly chunks: readonly Buffer[];
    readonly heldBy?: string;
  },
): Promise<void> {
  await db.query(
    `with touched as (
       insert into content (hash, bytes)
       values ($1, $2)
       on conflict (hash) do update set touched_at = now()
       returning hash
     ), held as (
       insert into held_value (run_id, hash)
       select $3::uuid, hash from touched where $3 is not null
       on conflict do nothing
     )
     insert into artifact_chunk (hash, index, data)
     select touched.hash, $4::int + place - 1, data
     from touched, unnest($5::bytea[]) with ordinality as chunk (data, place)
     on conflict (hash, index) do nothing`,
    [write.hash, write.bytes, write.heldBy ?? null, write.index, write.chunks],
  );
}

/**
 * The bytes of a content in order, read a few chunks at a time so that a large one never lies in memory whole and a slow
 * reader holds no connection.
 *
 * @param range  inside the content; absent: all of it
 * @throws {StoreError} `value_lost` when bytes are missing, after those that are there
 */
export async function* readContent(
  db: Queryable,
  { hash, bytes }: ContentRef,
  { start, end }: ByteRange = { start: 0, end: bytes },
): AsyncGenerator<Buffer> {
  const last = Math.ceil(end / CHUNK_BYTES);
  let at = start;
  for (let index = Math.floor(start / CHUNK_BYTES); index < last; index += CHUNKS_AT_ONCE) {
    const { rows } = await db.query<{ index: number; data: Buffer }>(
      `select index, data
       from artifact_chunk
       where hash = $1 and index >= $2 and index < $3
       order by index`,
      [hash, index, Math.min(index + CHUNKS_AT_ONCE, last)],
    );
    for (const chunk of rows) {
      const begin = chunk.index * CHUNK_BYTES;
      if (begin > at) break;
      const part = chunk.data.subarray(at - begin, end - begin);
      at += part.length;
      yield part;
    }
    if (at < Math.min((index + CHUNKS_AT_ONCE) * CHUNK_BYTES, end))
      throw new StoreError('value_lost', { hash });
  }
}

/** Cuts bytes into chunks without copying them. */
export function cutChunks(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    chunks.push(bytes.subarray(start, start + CHUNK_BYTES));
  }
  return chunks;
}

/** How many bytes of a content are there. Sizes are read from pointers: no chunk is opened. */
export async function storedBytes(db: Queryable, hash: string): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    'select coalesce(sum(octet_length(data)), 0)::float8 as bytes from artifact_chunk where hash = $1',
    [hash],
  );
  return rows[0]!.bytes;
}

import type { Pool, PoolClient } from 'pg';

/** Bytes per chunk; only the last one of a content is shorter. */
export const CHUNK_BYTES = 256 * 1024;

/** What may run a statement: a pool, or a client inside a transaction. */
export type Queryable = Pick<Pool | PoolClient, 'query'>;

/** Stores chunks `index`, `index + 1`, … of a content. Chunks that are there already stay as they are: same hash, same bytes. */
export async function writeChunks(
  db: Queryable,
  { hash, index, chunks }: { hash: string; index: number; chunks: readonly Buffer[] },
): Promise<void> {
  await db.query(
    `insert into artifact_chunk (hash, index, data)
     select $1, $2::int + place - 1, data
     from unnest($3::bytea[]) with ordinality as chunk (data, place)
     on conflict (hash, index) do nothing`,
    [hash, index, chunks],
  );
}

/**
 * The chunks of a content in order, read a few at a time so that a large one never lies in memory whole.
 *
 * @param chunksAtOnce default 8, which is 2 MB
 */
export async function* readChunks(db: Queryable, hash: string, chunksAtOnce = 8): AsyncGenerator<Buffer> {
  for (let index = 0; ; index += chunksAtOnce) {
    const { rows } = await db.query<{ data: Buffer }>(
      `select data
       from artifact_chunk
       where hash = $1 and index >= $2 and index < $3
       order by index`,
      [hash, index, index + chunksAtOnce],
    );
    for (const row of rows) yield row.data;
    if (rows.length < chunksAtOnce) return;
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

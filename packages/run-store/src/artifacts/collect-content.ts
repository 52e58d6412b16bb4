import type { Pool } from 'pg';

export interface CollectOptions {
  /** Content that somebody wrote to or relied on within this time stays. Uploads need it while they come in. Default a day. */
  readonly graceMs?: number;
  /** Contents looked at by one statement. Default 500. */
  readonly batch?: number;
  /** Ends the collection between two batches. */
  readonly signal?: AbortSignal;
}
export interface Collected {
  readonly contents: number;
  readonly bytes: number;
}

const DAY_MS = 86_400_000;

/**
 * Removes content that nobody holds: no artifact, no journal; uploads that broke off among it. In batches, each a transaction
 * of its own, so that nobody waits long and a process that dies here has finished what it did. Several at once are harmless.
 *
 * Never leaves a dangling reference (B1, B2): whoever relies on content touches its row in the same transaction, which a
 * removal waits for and then sees; and what the removal could not see the foreign keys refuse.
 */
export async function collectContent(pool: Pool, options: CollectOptions = {}): Promise<Collected> {
  const { graceMs = DAY_MS, batch = 500, signal } = options;
  let contents = 0;
  let bytes = 0;
  for (let after: string | undefined = ''; after !== undefined && !signal?.aborted; ) {
    const page = await findGarbage(pool, { after, graceMs, batch });
    for (const hashes of inSteps(page.garbage)) {
      const removed = await removeContent(pool, hashes, graceMs);
      contents += removed.contents;
      bytes += removed.bytes;
    }
    after = page.last;
  }
  return { contents, bytes };
}

interface Garbage {
  readonly hash: string;
  readonly bytes: number;
}

/** Of the next `batch` contents in the order of hashes those that nobody holds. Indexes: content_pkey, and one per holder. */
async function findGarbage(
  pool: Pool,
  { after, graceMs, batch }: { after: string; graceMs: number; batch: number },
): Promise<{ garbage: Garbage[]; last: string | undefined }> {
  const { rows } = await pool.query<Garbage & { isGarbage: boolean }>(
    `select c.hash, c.bytes::float8 as bytes,
       c.touched_at < now() - $2::float8 * interval '1 millisecond'
         and not exists (select from artifact a where a.hash = c.hash)
         and not exists (select from held_value h where h.hash = c.hash) as "isGarbage"
     from (select * from content where hash > $1 order by hash limit $3) c
     order by c.hash`,
    [after, graceMs, batch],
  );
  return {
    garbage: rows.filter((row) => row.isGarbage),
    last: rows.length === batch ? rows.at(-1)!.hash : undefined,
  };
}

/** Bytes removed by one transaction, unless a single content has more. */
const STEP_BYTES = 256 * 1024 * 1024;

function* inSteps(garbage: readonly Garbage[]): Generator<string[]> {
  let step: string[] = [];
  let bytes = 0;
  for (const each of garbage) {
    step.push(each.hash);
    bytes += each.bytes;
    if (bytes < STEP_BYTES) continue;
    yield step;
    step = [];
    bytes = 0;
  }
  if (step.length > 0) yield step;
}

const FOREIGN_KEY_VIOLATION = '23503';

/** Removes contents with their chunks, unless they were touched meanwhile. One that got a holder meanwhile stays. */
async function removeContent(pool: Pool, hashes: readonly string[], graceMs: number): Promise<Collected> {
  try {
    // What somebody else has locked is being relied on, or being removed already.
    const { rows } = await pool.query<Collected>(
      `with garbage as (
         select hash from content
         where hash = any ($1) and touched_at < now() - $2::float8 * interval '1 millisecond'
         for update skip locked
       ), gone as (
         delete from content c using garbage g where c.hash = g.hash returning c.bytes
       )
       select count(*)::int as contents, coalesce(sum(bytes), 0)::float8 as bytes from gone`,
      [hashes, graceMs],
    );
    return rows[0]!;
  } catch (error) {
    if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error;
    if (hashes.length === 1) return { contents: 0, bytes: 0 };
    let all: Collected = { contents: 0, bytes: 0 };
    for (const hash of hashes) {
      const one = await removeContent(pool, [hash], graceMs);
      all = { contents: all.contents + one.contents, bytes: all.bytes + one.bytes };
    }
    return all;
  }
}

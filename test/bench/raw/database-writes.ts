import { randomUUID } from 'node:crypto';
import pg from 'pg';

const ROWS_PER_BATCH = 50;
/** Batches under way at once, as in the group commit of the engine. */
const BATCHES_IN_FLIGHT = 2;
const DATA = JSON.stringify({ v: 1, output: { text: 'x'.repeat(200) } });

/** Rows per second into a table like the journal, one transaction per batch of 50, two batches under way. */
export async function insertedRowsPerSecond(url: string, ms: number): Promise<number> {
  return withPool(url, BATCHES_IN_FLIGHT, async (pool) => {
    await pool.query(
      `create table raw_rows (run_id uuid not null, seq int not null, type text not null, path text not null,
         attempt int not null, at timestamptz not null, data json not null, primary key (run_id, seq))`,
    );
    const seqs = Array.from({ length: ROWS_PER_BATCH }, (_, i) => i + 1);
    const data = seqs.map(() => DATA);
    const batches = await repeat(BATCHES_IN_FLIGHT, ms, () =>
      pool.query({
        name: 'raw_rows',
        text: `insert into raw_rows
               select $1::uuid, seq, 'outcome.succeeded', 'n' || seq, 1, now(), data
               from unnest($2::int[], $3::json[]) as given (seq, data)`,
        values: [randomUUID(), seqs, data],
      }),
    );
    return batches * ROWS_PER_BATCH;
  });
}

/** Commits of one row each per second, from so many connections. */
export async function commitsPerSecond(url: string, connections: number, ms: number): Promise<number> {
  return withPool(url, connections, async (pool) => {
    await pool.query('create table if not exists raw_commits (id uuid primary key, data json not null)');
    return repeat(connections, ms, () =>
      pool.query({
        name: 'raw_commits',
        text: 'insert into raw_commits values ($1, $2)',
        values: [randomUUID(), DATA],
      }),
    );
  });
}

async function withPool(
  url: string,
  size: number,
  work: (pool: pg.Pool) => Promise<number>,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: size });
  pool.on('error', () => {}); // a query that is under way reports it
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Does `once` again and again in so many lanes and answers how often per second; a tenth of the time before warms up. */
async function repeat(lanes: number, ms: number, once: () => Promise<unknown>): Promise<number> {
  await inLanes(lanes, ms / 10, once);
  return inLanes(lanes, ms, once);
}

async function inLanes(lanes: number, ms: number, once: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() - begun < ms) {
        await once();
        count += 1;
      }
    }),
  );
  return count / ((performance.now() - begun) / 1_000);
}

import type { Pool, PoolClient } from 'pg';

// For what is not on the hot path, which has a transaction of its own that saves round trips (hot-pool).

/** Runs `work` in one transaction, rolled back when it throws. A connection that cannot even roll back is thrown away. */
export const inPlainTransaction = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  run(pool, 'begin', work);

/** Runs `work`, which only reads, on one state of the database. */
export const inSnapshot = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  run(pool, 'begin isolation level repeatable read read only', work);

async function run<T>(pool: Pool, begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

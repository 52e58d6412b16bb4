import pg from 'pg';

export type HotPool = pg.Pool;
export type HotClient = pg.PoolClient;

/**
 * Connections for the contended operations: pipelined (a batch's statements are sent without waiting for each answer), and with
 * the planner kept from sequential scans, hash and merge joins. On young tables a prepared statement over `unnest` otherwise
 * settles on a generic plan that scans (measured: half the throughput).
 *
 * @param onError told about connections that broke while idle; the pool replaces them by itself
 */
export function openHotPool(url: string, size: number, onError: (error: Error) => void): HotPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'pawl',
    options:
      '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off -c statement_timeout=60000 -c idle_in_transaction_session_timeout=30000',
  } as pg.PoolConfig);
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** A named statement: parsed and planned once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs a named statement. */
export async function runStatement<Row>(
  client: Pick<pg.ClientBase, 'query'>,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await client.query({
    name: statement.name,
    text: statement.text,
    values: values as unknown[],
  });
  return result.rows as Row[];
}

/**
 * Runs `work` in one transaction; rolls back when it throws. A connection whose state is unclear is thrown away.
 *
 * @param work         sends its statements on the client it is given; the first travel together with `begin`
 * @param onCommitLost makes the error for a commit that was sent and not answered: it may have happened
 */
export async function inTransaction<T>(
  pool: HotPool,
  work: (client: HotClient) => Promise<T>,
  onCommitLost?: (error: unknown) => Error,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let isCommitting = false;
  try {
    const begun = client.query('begin');
    begun.catch(() => {});
    const result = await work(client);
    await begun;
    isCommitting = true;
    await client.query('commit');
    return result;
  } catch (error) {
    if (isCommitting) {
      broken = error as Error;
      throw onCommitLost?.(error) ?? error;
    }
    try {
      await client.query('rollback');
    } catch (rollbackError) {
      broken = rollbackError as Error;
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

import pg from 'pg';

export type HotPool = pg.Pool;
export type HotClient = pg.PoolClient;

/**
 * Connections for the contended operations: pipelined (a batch's statements are sent without waiting for each answer), and with
 * the planner kept from sequential scans, hash and merge joins. On young tables a prepared statement over `unnest` otherwise
 * settles on a generic plan that scans (measured: half the throughput).
 *
 * A process that is stopped in the middle of a transaction loses it after five seconds, so that it holds no run back for longer.
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
      '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan -c jit=off -c statement_timeout=60000 -c idle_in_transaction_session_timeout=5000',
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

/** A transaction under way. */
export interface Transaction {
  readonly client: HotClient;
  /** Sends what `send` sends, and the commit behind it, in one go; resolves with the answer once it is committed. */
  commitWith<T>(send: () => Promise<T>): Promise<T>;
}

/** A commit was sent and not answered: it may have happened. */
export class CommitLostError extends Error {
  readonly code = 'commit_lost';
  constructor(cause: unknown) {
    super('The database did not answer a commit; it may have happened.', { cause });
  }
}

/**
 * Runs `work` in one transaction, which `work` ends with `commitWith`; rolled back when it does not. A connection whose state is
 * unclear is thrown away.
 *
 * @param work sends its first statements at once: they travel together with `begin`
 * @throws {CommitLostError}
 */
export async function inTransaction<T>(pool: HotPool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let isOpen = true;
  const commitWith = async <R>(send: () => Promise<R>): Promise<R> => {
    let committing: Promise<unknown> | undefined;
    const sending = together(client, () => {
      const last = send();
      committing = client.query('commit');
      committing.catch(() => {});
      return last;
    });
    try {
      const result = await sending;
      await committing;
      isOpen = false;
      return result;
    } catch (error) {
      const isRefused = await Promise.all([
        isAnswer(error),
        committing!.then(
          () => true,
          () => false,
        ),
      ]);
      if (isRefused.every(Boolean)) {
        isOpen = false; // the statement failed, so the commit behind it rolled back
        throw error;
      }
      broken = error as Error;
      throw new CommitLostError(error);
    }
  };
  try {
    const working = together(client, () => {
      client.query('begin').catch(() => {}); // a failed begin fails what follows it
      return work({ client, commitWith });
    });
    return await working;
  } finally {
    if (isOpen && !broken) await client.query('rollback').catch((error: Error) => (broken = error));
    client.release(broken);
  }
}

/** An error that the server answered with, not one of the connection. */
const isAnswer = (error: unknown): boolean =>
  typeof (error as { code?: unknown }).code === 'string' &&
  /^(?!08|57P)[0-9A-Z]{5}$/.test((error as { code: string }).code);

/** Lets everything that `send` writes at once leave in one packet: a write to the socket costs as much as a small statement. */
function together<T>(client: HotClient, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } })
    .connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

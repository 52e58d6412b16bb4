import type { ToolContext } from '@pawl/tool-sdk';
import pg from 'pg';
import { sqlProblem } from './problems.ts';

/** Locks of the session outlive a rollback. */
const ROLLBACK = 'rollback; select pg_advisory_unlock_all()';
const ignore = (): void => undefined;

/** Bounds of what one statement may take, milliseconds. */
const MIN_TIMEOUT_MS = 1_000;
const MAX_TIMEOUT_MS = 86_400_000;

/**
 * How text of the server looks, whatever the database is set to; and what runs there ends with the attempt, also when the
 * worker is not there any more to end it.
 */
const settings = (leftMs: number): string =>
  [
    `set local statement_timeout = ${Math.floor(Math.min(Math.max(leftMs, MIN_TIMEOUT_MS), MAX_TIMEOUT_MS))}`,
    "set local timezone = 'UTC'",
    "set local datestyle = 'ISO, YMD'",
    "set local intervalstyle = 'iso_8601'",
    "set local bytea_output = 'hex'",
  ].join('; ');

/** What a transaction needs of its caller. */
export interface TransactionParts {
  readonly ctx: ToolContext;
  readonly pool: pg.Pool;
  /** As flows call it. */
  readonly connection: string;
  readonly mode: 'read only' | 'read write';
}

/**
 * Does work in a transaction; commits what was written, and always rolls back what was only to be read. When the attempt is
 * aborted the statement is cancelled in the server and the connection given up.
 *
 * @throws tool errors for what the server says; the reason of the signal after an abort
 */
export async function inTransaction<T>(
  { ctx, pool, connection, mode }: TransactionParts,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const { signal } = ctx;
  signal.throwIfAborted();
  let client: pg.PoolClient | undefined;
  let isBroken = true;
  const giveUp = (): void => {
    if (client !== undefined) void abandon(pool, client);
  };
  try {
    client = await connected(pool, signal);
    // What happens to the connection is told by the statement under way; the event alone would end the process.
    client.on('error', ignore);
    signal.addEventListener('abort', giveUp, { once: true });
    await client.query(`begin transaction ${mode}; ${settings(ctx.deadline.getTime() - Date.now())}`);
    const result = await work(client);
    signal.throwIfAborted();
    await client.query(mode === 'read only' ? ROLLBACK : 'commit');
    isBroken = false;
    return result;
  } catch (error) {
    signal.throwIfAborted();
    isBroken =
      (await client?.query(ROLLBACK).then(
        () => false,
        () => true,
      )) ?? true;
    throw sqlProblem(error, connection);
  } finally {
    signal.removeEventListener('abort', giveUp);
    if (!isBroken) client?.off('error', ignore);
    client?.release(isBroken);
  }
}

/** A connection of the pool; when the attempt ends first, the one that comes late goes back at once. */
async function connected(pool: pg.Pool, signal: AbortSignal): Promise<pg.PoolClient> {
  const coming = pool.connect();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([coming, aborted]);
  } catch (error) {
    coming.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const CANCEL_TIMEOUT_MS = 5_000;

/** Ends what runs on a connection, by way of one of its own, since the pool may be used up; then closes it. */
async function abandon(pool: pg.Pool, client: pg.PoolClient): Promise<void> {
  const { processID, connection } = client as unknown as Insides;
  const messenger = new pg.Client({ ...pool.options, connectionTimeoutMillis: CANCEL_TIMEOUT_MS });
  messenger.on('error', () => undefined);
  try {
    await messenger.connect();
    await messenger.query('select pg_cancel_backend($1)', [processID]);
  } catch {
    // The server is not there; the statement timeout ends what runs, if anything does.
  } finally {
    connection.stream.destroy();
    await messenger.end().catch(() => undefined);
  }
}

/** What the driver knows of a connection and does not tell in its types. */
interface Insides {
  readonly processID: number | null;
  readonly connection: { readonly stream: { destroy(): void } };
}

import { ToolInputError } from '@pawl/tool-sdk';
import pg from 'pg';

/** Databases that flows may use, by the name they use them under. */
export interface SqlConfig {
  /** PostgreSQL URLs; they hold passwords. */
  readonly urls: Readonly<Record<string, string>>;
  /** Most connections to one of them from one worker. Default 5. */
  readonly poolSize?: number;
}

/** How long a call waits for a connection: for one of the pool, and for the server. */
const CONNECT_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 30_000;
const DEFAULT_POOL_SIZE = 5;

/** The configured databases; a pool is made when it is first asked for. */
export class SqlConnections {
  readonly #config: SqlConfig;
  readonly #pools = new Map<string, pg.Pool>();

  constructor(config: SqlConfig) {
    this.#config = config;
  }

  /** @throws {ToolInputError} naming the connections that there are */
  pool(name: string): pg.Pool {
    const known = this.#pools.get(name);
    if (known !== undefined) return known;
    const { urls, poolSize: max = DEFAULT_POOL_SIZE } = this.#config;
    if (!Object.hasOwn(urls, name)) throw unknownConnection(name, Object.keys(urls));
    const pool = new pg.Pool({
      connectionString: urls[name],
      max,
      application_name: 'pawl sql',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      allowExitOnIdle: true,
    });
    // An idle connection that breaks leaves the pool by itself; the next call makes another.
    pool.on('error', () => undefined);
    this.#pools.set(name, pool);
    return pool;
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
    this.#pools.clear();
  }
}

const unknownConnection = (name: string, known: readonly string[]): ToolInputError =>
  new ToolInputError({
    code: 'sql_connection_unknown',
    message: `There is no SQL connection ${JSON.stringify(name)}; configured are ${known.join(', ') || 'none'}. Connections are set up with PAWL_SQL_<NAME>.`,
    issues: [{ pointer: '/connection', message: `must be one of ${known.join(', ') || 'none'}` }],
  });

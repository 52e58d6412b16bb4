import pg from 'pg';

/** Well below the second between the two looks that declare a worker dead. */
const LONGEST_WAIT_MS = 250;

/**
 * A session advisory lock that a worker holds while it lives. The database frees it the moment the process or its connection is
 * gone, which a sweeper notices long before a lease runs out. Taken again by itself after a lost connection.
 */
export class PresenceLock {
  readonly #url: string;
  readonly #lockKey: string;
  #client: pg.Client | undefined;
  #isClosed = false;

  constructor(url: string, lockKey: string) {
    this.#url = url;
    this.#lockKey = lockKey;
  }

  async take(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      application_name: 'pawl presence',
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => this.#retake(client));
    client.on('end', () => this.#retake(client));
    await client.connect();
    // A host that vanished without a word is noticed by the server within this time, and its lock freed.
    await client.query(
      `select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '3', false), pg_advisory_lock($1::bigint)`,
      [this.#lockKey],
    );
    this.#client = client;
  }

  async release(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => {});
  }

  #retake(client: pg.Client): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    const again = (waitMs: number): void => {
      if (this.#isClosed) return;
      this.take().catch(() => setTimeout(() => again(Math.min(waitMs * 2, LONGEST_WAIT_MS)), waitMs).unref());
    };
    again(50);
  }
}

// Which mistake would this catch? Doorbells that stay silent after PostgreSQL restarts, tables that land in somebody
// else's schema, and an unprepared database that is noticed too late.

import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { startPostgres, type TestServer } from '../../../test/support/process.ts';
import {
  consume,
  openQueue,
  prepareQueue,
  type QueueConfig,
  QueueNotPreparedError,
  QueueUnavailableError,
} from '../src/index.ts';
import { conformance, freshPool, Opened } from './conformance.ts';
import { outage } from './outage.ts';
import { bell, Heard } from './support/heard.ts';

describe('PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());
  const configIn = (pool: string): QueueConfig => ({ backend: 'postgres', url: database.url, pool });

  conformance(configIn);

  it('keeps its tables in a schema of its own', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      `select distinct schemaname from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    await client.end();
    expect(rows).toEqual([{ schemaname: 'pawl_queue' }]);
  });

  it('says that the schema was not prepared', async () => {
    const config: QueueConfig = { backend: 'postgres', url: database.url, schema: 'nowhere' };
    await expect(openQueue(config)).rejects.toBeInstanceOf(QueueNotPreparedError);
    const consuming = consume({ ...config, onTrouble: () => {} }, { fetchers: 1, onBells: async () => {} });
    await expect(consuming).rejects.toBeInstanceOf(QueueNotPreparedError);
  });

  it('works in another schema, with options in the address', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c work_mem=8MB');
    const config: QueueConfig = { backend: 'postgres', url: url.href, schema: 'other_queue' };
    await prepareQueue(config);
    const opened = new Opened();
    const heard = new Heard();
    await opened.consumer(config, heard);
    const queue = await opened.queue(config);
    await queue.ring([bell('a')]);
    await heard.all(['a']);
    await opened.closeAll();
  });

  describe('a server of its own', () => {
    const opened = new Opened();
    let server: TestServer;
    const configOf = (pool: string): QueueConfig => ({ backend: 'postgres', url: server.url, pool });
    beforeAll(async () => {
      server = await startPostgres();
      await prepareQueue(configOf(freshPool()));
    });
    afterEach(() => opened.closeAll());
    afterAll(() => server?.dispose());

    it('says that the server is away', async () => {
      const config: QueueConfig = { ...configOf(freshPool()), onTrouble: () => {} };
      await server.stop();
      await expect(openQueue(config)).rejects.toBeInstanceOf(QueueUnavailableError);
      const consuming = consume(config, { fetchers: 1, onBells: async () => {} });
      await expect(consuming).rejects.toBeInstanceOf(QueueUnavailableError);
      await server.restart();
    });

    outage({ server: () => server, configOf, opened });
  });
});

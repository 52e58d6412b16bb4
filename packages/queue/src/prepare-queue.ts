import { runMigrations } from 'bullmq';
import pg from 'pg';
import type { QueueConfig } from './doorbells.ts';
import { schemaOf } from './queue-name.ts';

/**
 * Creates or migrates what the queue needs; nothing to do on Redis. Safe when several processes call it at once: BullMQ
 * migrates in one transaction under an advisory lock of the schema, so one does the work, the others wait and find it
 * done, and a process killed half-way leaves nothing behind (case C52).
 */
export async function prepareQueue(config: QueueConfig): Promise<void> {
  if (config.backend === 'redis') return;
  const client = new pg.Client({ connectionString: config.url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`set lock_timeout = '60s'`);
    await runMigrations(client, schemaOf(config));
  } finally {
    await client.end();
  }
}

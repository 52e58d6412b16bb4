import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { DevParts } from '../../../src/dev/dev-parts.ts';
import { nodeArguments } from '../../../src/repository.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Small stand-ins for everything that `pawl dev` starts but the database. */
export const standIns = (changes: { worker?: string; examples?: string } = {}): DevParts => ({
  engine: nodeArguments(here('engine.ts')),
  worker: nodeArguments(here(changes.worker ?? 'worker.ts')),
  migrate: createTable,
  examples: here(changes.examples ?? 'examples'),
  mainExample: 'demo',
  filesRoot: here('.'),
});

async function createTable(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('create table if not exists stand_in ()');
  await client.end();
}

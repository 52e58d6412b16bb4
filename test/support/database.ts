import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
// For the typed keys of `inject`.
import type {} from './provided.ts';

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

/**
 * Makes an empty database on the server of this test run, one per test file or test.
 *
 * @param serverUrl  of a superuser; absent: the server that the test run started
 */
export async function createTestDatabase(serverUrl = inject('databaseUrl')): Promise<TestDatabase> {
  return create(serverUrl, "template template0 encoding 'UTF8'");
}

/** Makes a database with the tables of this release: a copy of the one that the test run migrated, in a tenth of the time. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  return create(inject('databaseUrl'), `template ${inject('migratedDatabase')}`);
}

async function create(serverUrl: string, how: string): Promise<TestDatabase> {
  const name = `pawl_test_${randomBytes(6).toString('hex')}`;
  await execute(serverUrl, `create database ${name} ${how}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: () => drop(serverUrl, name),
  };
}

/** A pool that was ended is still closing its connections; the server waits a few seconds for those before it refuses. */
async function drop(serverUrl: string, name: string): Promise<void> {
  try {
    await execute(serverUrl, `drop database if exists ${name}`);
  } catch (error) {
    if ((error as { code?: string }).code !== IN_USE) throw error;
    await execute(serverUrl, `drop database if exists ${name} with (force)`);
  }
}

/** `object_in_use` (PostgreSQL, appendix A). */
const IN_USE = '55006';

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

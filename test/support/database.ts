import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
// For the typed keys of `inject`.
import type {} from './servers.ts';

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
  const name = `pawl_test_${randomBytes(6).toString('hex')}`;
  await execute(serverUrl, `create database ${name} template template0 encoding 'UTF8'`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Closers } from './closers.ts';

/** Makes an empty database that is dropped with `closers`, and answers its address. */
export async function createDatabase(serverUrl: string, closers: Closers): Promise<string> {
  const name = `pawl_bench_${randomBytes(6).toString('hex')}`;
  await execute(serverUrl, `create database ${name} template template0 encoding 'UTF8'`);
  closers.add(() => execute(serverUrl, `drop database if exists ${name} with (force)`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
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

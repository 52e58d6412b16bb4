import pg from 'pg';
import { findRedis, startPostgres, startRedis, type TestServer } from '../support/process.ts';
import type { Closers } from './closers.ts';
import { parentNamed } from './cpu.ts';
import { note } from './notes.ts';

/** PostgreSQL and, where there is one, Redis. */
export interface Servers {
  /** Of a superuser; each system makes a database of its own. */
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  readonly postgresPid: number | undefined;
  readonly redisPid: number | undefined;
}

/** Starts what `DATABASE_URL` and `REDIS_URL` do not name. The PostgreSQL is the one of `npm start`, with fsync on. */
export async function startServers(wantsRedis: boolean, closers: Closers): Promise<Servers> {
  const begin = async (server: Promise<TestServer>): Promise<TestServer> => {
    const running = await server;
    closers.add(() => running.dispose());
    return running;
  };
  const postgres = process.env.DATABASE_URL ? undefined : await begin(startPostgres());
  const databaseUrl = process.env.DATABASE_URL || postgres!.url;
  const isRedisOurs = wantsRedis && !process.env.REDIS_URL && findRedis() !== undefined;
  const redis = isRedisOurs ? await begin(startRedis()) : undefined;
  return {
    databaseUrl,
    redisUrl: process.env.REDIS_URL || redis?.url,
    postgresPid: postgres?.pid() ?? (await localPostmaster(databaseUrl)),
    redisPid: redis?.pid(),
  };
}

/** A PostgreSQL that was given to us is counted when it runs on this machine. */
async function localPostmaster(url: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const found = parentNamed(rows[0]!.pid, 'postgres');
    if (!found) note('The given PostgreSQL is not on this machine: its CPU time is not counted.');
    return found;
  } finally {
    await client.end();
  }
}

import type { TestProject } from 'vitest/node';
import { findRedis, startPostgres, startRedis, type TestServer } from './process.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a superuser; tests make their own databases with `createTestDatabase`. */
    databaseUrl: string;
    /** Undefined when this machine has no Redis (never so in CI). */
    redisUrl: string | undefined;
  }
}

/**
 * Starts one PostgreSQL and one Redis for the whole test run, or takes `DATABASE_URL` and `REDIS_URL`.
 *
 * @returns what stops them again
 * @throws in CI when there is no Redis: its tests must not be skipped there
 */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const started: TestServer[] = [];
  const begin = async (server: Promise<TestServer>): Promise<string> => {
    const running = await server;
    started.push(running);
    return running.url;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.dispose()));
  };
  try {
    project.provide('databaseUrl', process.env.DATABASE_URL ?? (await begin(startPostgres())));
    project.provide('redisUrl', process.env.REDIS_URL ?? (await startRedisIfThere(begin)));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function startRedisIfThere(
  begin: (server: Promise<TestServer>) => Promise<string>,
): Promise<string | undefined> {
  if (findRedis()) return begin(startRedis());
  if (process.env.CI) {
    throw new Error('CI must run the Redis tests: install redis-server or set REDIS_URL.');
  }
  return undefined;
}

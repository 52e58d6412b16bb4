import type { TestProject } from 'vitest/node';
import { migrate } from '../../packages/run-store/src/index.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { findRedis, startPostgres, startRedis, type TestServer } from './process.ts';

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
  let migrated: TestDatabase | undefined;
  const stop = async (): Promise<void> => {
    await migrated?.drop();
    await Promise.all(started.map((server) => server.dispose()));
  };
  try {
    const databaseUrl = process.env.DATABASE_URL ?? (await begin(startPostgres()));
    project.provide('databaseUrl', databaseUrl);
    migrated = await createTestDatabase(databaseUrl);
    await migrate(migrated.url);
    project.provide('migratedDatabase', migrated.name);
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

import { createDatabase } from '../bench-database.ts';
import { Closers } from '../closers.ts';
import { note } from '../notes.ts';
import type { RawLimits } from '../report.ts';
import type { Backend } from '../result.ts';
import type { Servers } from '../servers.ts';
import { bullmqJobsPerSecond } from './bullmq-jobs.ts';
import { commitsPerSecond, insertedRowsPerSecond } from './database-writes.ts';

/** What this machine can do at most, without Pawl: what the figures of the workloads are to be read against. */
export async function measureRawLimits(
  servers: Servers,
  { backends, ms, closers: outer }: { backends: readonly Backend[]; ms: number; closers: Closers },
): Promise<RawLimits> {
  const closers = new Closers();
  outer.add(() => closers.close());
  const url = await createDatabase(servers.databaseUrl, closers);
  const raw: Record<string, number> = {};
  const measure = async (name: string, work: () => Promise<number>): Promise<void> => {
    raw[name] = await work();
    note(`  ${name}: ${Math.round(raw[name])}`);
  };
  await measure('rowsInsertedPerSecond', () => insertedRowsPerSecond(url, ms));
  await measure('commitsPerSecondOneConnection', () => commitsPerSecond(url, 1, ms));
  await measure('commitsPerSecondTwentyConnections', () => commitsPerSecond(url, 20, ms));
  if (backends.includes('redis') && servers.redisUrl)
    await measure('bullmqJobsPerSecondRedis', () =>
      bullmqJobsPerSecond({ backend: 'redis', url: servers.redisUrl! }, ms, closers),
    );
  if (backends.includes('postgres'))
    await measure('bullmqJobsPerSecondPostgres', () =>
      bullmqJobsPerSecond({ backend: 'postgres', url }, ms, closers),
    );
  await closers.close();
  return raw;
}

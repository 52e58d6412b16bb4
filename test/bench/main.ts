import { note } from './notes.ts';
import { type BenchOptions, BenchOptionsError, readOptions } from './options.ts';
import { jsonReport, type RawLimits, tableReport } from './report.ts';
import type { Result } from './result.ts';
import { type Servers, startServers } from './servers.ts';
import { startSystem } from './system.ts';
import type { Workload } from './workload.ts';
import { workloads } from './workloads/index.ts';

// npm run bench. Figures go to standard output, everything else to standard error. Ends with 1 when anything went wrong,
// also when a result was wrong: a fast wrong answer is no figure. See docs/performance.md.

/** Stops what is running, newest first; filled while things are started. */
const closers: (() => Promise<void>)[] = [];
const stopAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    note(`${signal}: stopping`);
    void stopAll().finally(() => process.exit(code));
  });
}

try {
  const options = readOptions(
    process.argv.slice(2),
    workloads.map((workload) => workload.name),
  );
  const { raw, results } = await run(options);
  process.stdout.write(options.json ? jsonReport(raw, results) : tableReport(raw, results));
} catch (error) {
  note(error instanceof BenchOptionsError ? error.message : `Failed: ${(error as Error).stack}`);
  process.exitCode = 1;
} finally {
  await stopAll();
}

async function run(options: BenchOptions): Promise<{ raw: RawLimits; results: Result[] }> {
  note('starting servers');
  const servers = await startServers(options.backends.includes('redis'));
  closers.push(() => servers.stop());
  const results: Result[] = [];
  const wanted = workloads.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  for (const backend of options.backends) {
    if (backend === 'redis' && !servers.redisUrl) {
      note('There is no redis-server on PATH and no REDIS_URL: the redis backend is skipped.');
      continue;
    }
    const shared = wanted.filter((workload) => !workload.needsFreshSystem);
    const groups = [shared, ...wanted.filter((workload) => workload.needsFreshSystem).map((one) => [one])];
    for (const group of groups)
      if (group.length > 0) results.push(...(await measureGroup(group, backend, servers, options)));
  }
  return { raw: {}, results };
}

async function measureGroup(
  group: readonly Workload[],
  backend: Result['backend'],
  servers: Servers,
  options: BenchOptions,
): Promise<Result[]> {
  note(`${backend}: starting an engine and a worker on a fresh database`);
  const system = await startSystem(backend, servers);
  const stop = (): Promise<void> => system.stop();
  closers.push(stop);
  const results: Result[] = [];
  for (const workload of group) {
    note(`${backend}: ${workload.name}`);
    results.push(...(await workload.measure(system, options)));
  }
  closers.splice(closers.indexOf(stop), 1);
  await stop();
  return results;
}

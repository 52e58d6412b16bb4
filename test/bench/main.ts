import { Closers } from './closers.ts';
import { note } from './notes.ts';
import { type BenchOptions, BenchOptionsError, readOptions } from './options.ts';
import { measureRawLimits } from './raw/limits.ts';
import { jsonReport, type RawLimits, tableReport } from './report.ts';
import type { Backend, Result } from './result.ts';
import { type Servers, startServers } from './servers.ts';
import { startSystem } from './system.ts';
import type { Workload } from './workload.ts';
import { workloads } from './workloads/index.ts';

// npm run bench. Figures go to standard output, everything else to standard error. Ends with 1 when anything went wrong,
// also when a result was wrong: a fast wrong answer is no figure. See docs/performance.md.

const closers = new Closers();
let isInterrupted = false;
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    isInterrupted = true;
    note(`${signal}: stopping`);
    void closers.close().finally(() => process.exit(code));
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
  // What is under way fails when everything is being stopped.
  if (!isInterrupted) {
    note(error instanceof BenchOptionsError ? error.message : `Failed: ${(error as Error).stack}`);
    process.exitCode = 1;
  }
} finally {
  if (!isInterrupted) await closers.close();
}

async function run(options: BenchOptions): Promise<{ raw: RawLimits; results: Result[] }> {
  note('starting servers');
  const servers = await startServers(options.backends.includes('redis'), closers);
  const isWanted = (name: string): boolean => options.only.length === 0 || options.only.includes(name);
  const backends = options.backends.filter((backend) => backend !== 'redis' || servers.redisUrl);
  if (backends.length < options.backends.length)
    note('There is no redis-server on PATH and no REDIS_URL: the redis backend is skipped.');

  let raw: RawLimits = {};
  if (isWanted('raw')) {
    note('limits of this machine');
    raw = await measureRawLimits(servers, { backends, ms: options.quick ? 400 : 3_000, closers });
  }
  const wanted = workloads.filter(({ name }) => isWanted(name));
  const results: Result[] = [];
  for (const backend of backends)
    for (const group of groupsOf(wanted, options))
      results.push(...(await measureGroup(group, backend, servers, options)));
  return { raw, results };
}

/**
 * Workloads that share a system. One that wants a fresh one has it to itself; with `--quick` it comes first and leaves the
 * system to the others, because starting processes takes longer than measuring.
 */
function groupsOf(wanted: readonly Workload[], { quick }: BenchOptions): (readonly Workload[])[] {
  const fresh = wanted.filter((workload) => workload.needsFreshSystem);
  const shared = wanted.filter((workload) => !workload.needsFreshSystem);
  const groups = quick ? [[...fresh, ...shared]] : [shared, ...fresh.map((workload) => [workload])];
  return groups.filter((group) => group.length > 0);
}

/** Measures workloads one after the other on one system. */
async function measureGroup(
  group: readonly Workload[],
  backend: Backend,
  servers: Servers,
  options: BenchOptions,
): Promise<Result[]> {
  note(`${backend}: starting an engine and a worker on a fresh database`);
  const ofSystem = new Closers();
  closers.add(() => ofSystem.close());
  const system = await startSystem(backend, servers, ofSystem);
  const results: Result[] = [];
  for (const workload of group) {
    note(`${backend}: ${workload.name}`);
    results.push(...(await workload.measure(system, options)));
  }
  await ofSystem.close();
  return results;
}

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '@pawl/api';
import { openQueue, type QueueConfig } from '@pawl/queue';
import { DEFAULT_WORKSPACE_ID, HotStore, startRun } from '@pawl/run-store';
import pg from 'pg';
import { createDatabase } from './bench-database.ts';
import type { Closers } from './closers.ts';
import { cpuSeconds, type Pids } from './cpu.ts';
import { type BenchFlow, flows } from './flows.ts';
import { note } from './notes.ts';
import { type PawlProcess, startProcess } from './pawl-process.ts';
import type { Backend, CpuSeconds } from './result.ts';
import { RunEnds } from './run-ends.ts';
import type { Servers } from './servers.ts';

/** One engine process and one worker process on a fresh database, with the flows published. */
export interface System {
  readonly backend: Backend;
  readonly client: ReturnType<typeof createClient>;
  readonly pool: pg.Pool;
  readonly ends: RunEnds;
  /** Admits a run from this process, as an engine does, and resolves with its id once it is committed. */
  start(flow: BenchFlow): Promise<string>;
  /** CPU seconds of all processes so far. */
  cpu(): CpuSeconds;
  /** SIGKILL. */
  killWorker(): void;
  /** Starts a worker in place of the one that ran. */
  replaceWorker(): Promise<void>;
  /** @throws {Error} with the log of a process that ended or of trouble that was reported */
  checkHealth(): void;
}

/** How long a process may take to end. */
const END_MS = 15_000;

/** Starts a system; everything it starts is added to `closers` at once. */
export async function startSystem(backend: Backend, servers: Servers, closers: Closers): Promise<System> {
  const databaseUrl = await createDatabase(servers.databaseUrl, closers);
  const prefix = `pawl-bench-${randomBytes(4).toString('hex')}`;
  const env = environment(databaseUrl, backend === 'redis' ? servers.redisUrl! : '', prefix);
  const queueConfig: QueueConfig =
    backend === 'redis'
      ? { backend, url: servers.redisUrl!, prefix }
      : { backend: 'postgres', url: databaseUrl };

  const engine = await startProcess('engine', env);
  closers.add(() => endProcess('engine', engine));
  let worker = await startProcess('workers', env);
  closers.add(() => endProcess('worker', worker));

  const client = createClient({ baseUrl: engine.url });
  for (const { document } of flows)
    await client.publishFlow({ params: { flow: document.name }, body: document as never });

  const troubles: string[] = [];
  const queue = await openQueue(queueConfig);
  closers.add(() => queue.close());
  const store = await HotStore.open({
    url: databaseUrl,
    ring: (bells, how) => queue.ring(bells, how),
    onError: (error, doing) => troubles.push(`${doing}: ${error.message}`),
  });
  closers.add(() => store.close());
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  closers.add(() => pool.end());
  const ends = new RunEnds(store, (error) => troubles.push(`reading statuses: ${String(error)}`));
  closers.add(() => ends.close());

  const pids = (): Pids => ({
    engine: engine.pid,
    worker: worker.pid,
    ...(servers.postgresPid && { postgres: servers.postgresPid }),
    ...(servers.redisPid && backend === 'redis' && { redis: servers.redisPid }),
    bench: process.pid,
  });
  return {
    backend,
    client,
    pool,
    ends,
    async start({ document, input }) {
      const request = { workspaceId: DEFAULT_WORKSPACE_ID, flow: document.name, input, trigger: 'bench' };
      return (await startRun(store, request)).runId;
    },
    cpu: () => cpuSeconds(pids()),
    killWorker: () => worker.kill('SIGKILL'),
    async replaceWorker() {
      worker = await startProcess('workers', env);
    },
    checkHealth() {
      for (const [name, child] of Object.entries({ engine, worker }))
        if (child.hasEnded()) throw new Error(`The ${name} process has ended:\n${child.log()}`);
      if (troubles.length > 0)
        throw new Error(`Trouble in the benchmark's own store: ${troubles.slice(0, 5).join(' · ')}`);
    },
  };
}

function environment(databaseUrl: string, redisUrl: string, prefix: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !name.startsWith('PAWL_'),
  ) as [string, string][];
  return {
    ...Object.fromEntries(inherited),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    PAWL_QUEUE_PREFIX: prefix,
    PAWL_PORT: '0',
    PAWL_AUTH: 'loopback-open',
    PAWL_TOOLS: join(import.meta.dirname, 'bench-tools.ts'),
  };
}

/** Asks it to end; one that does not is killed and said so. */
async function endProcess(name: string, child: PawlProcess): Promise<void> {
  const { warnings } = child;
  if (warnings.length > 0) note(`The ${name} process warned ${warnings.length} times, first: ${warnings[0]}`);
  if (child.hasEnded()) return;
  child.kill('SIGTERM');
  const patience = setTimeout(() => {
    note(`The ${name} process did not end within ${END_MS / 1_000} s of SIGTERM and is killed.`);
    child.kill('SIGKILL');
  }, END_MS);
  await child.ended;
  clearTimeout(patience);
}

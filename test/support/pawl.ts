import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, createClient } from '@pawl/api';
import { checkRowsEqualFold, type RowDifference } from '@pawl/run-store';
import pg from 'pg';
import { inject } from 'vitest';
import { nodeArguments } from '../../apps/cli/src/repository.ts';
import { bundleOf } from '../../scripts/bundle.js';
import { createMigratedDatabase, type TestDatabase } from './database.ts';

const REPOSITORY = join(import.meta.dirname, '../..');

/** A process of Pawl's that a test started. */
interface PawlProcess {
  readonly pid: number;
  /** What it said when it was ready. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** What it printed to standard error so far: its log. */
  readonly log: () => string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly hasEnded: () => boolean;
}

export interface Pawl {
  readonly url: string;
  readonly databaseUrl: string;
  readonly client: Client;
  readonly engines: (PawlProcess & { readonly url: string })[];
  readonly workers: PawlProcess[];
  startWorker(env?: Record<string, string>): Promise<PawlProcess>;
  startEngine(env?: Record<string, string>): Promise<PawlProcess & { url: string }>;
  /** Starts a worker unless one lives: for tests that kill theirs, whose second try begins where the first gave up. */
  needWorker(): Promise<void>;
  /** SIGKILL for every worker that lives, and a new one. Who asks meanwhile waits for his turn. */
  replaceWorkers(): Promise<void>;
  /** V12: every difference between rows and the fold of the journal, over all runs. */
  rowsEqualFold(): Promise<readonly RowDifference[]>;
  stop(): Promise<void>;
}

export interface PawlOptions {
  readonly workers?: number;
  /** Default: Redis where there is one, else PostgreSQL. */
  readonly queue?: 'redis' | 'postgres';
  readonly filesRoot?: string;
  readonly writeRoot?: string;
  readonly env?: Record<string, string>;
  readonly databaseUrl?: string;
  readonly redisUrl?: string;
}

/** Starts a real engine and real workers as processes, on a database of their own and free ports. */
export async function startPawl(options: PawlOptions = {}): Promise<Pawl> {
  const database: TestDatabase | undefined = options.databaseUrl ? undefined : await createMigratedDatabase();
  const databaseUrl = options.databaseUrl ?? database!.url;
  const redisUrl = options.redisUrl ?? inject('redisUrl');
  const isRedis = (options.queue ?? (redisUrl ? 'redis' : 'postgres')) === 'redis';
  const env: Record<string, string> = {
    ...(process.env as Record<string, string>),
    DATABASE_URL: databaseUrl,
    REDIS_URL: isRedis ? redisUrl! : '',
    PAWL_QUEUE_PREFIX: `pawl-${randomUUID()}`,
    PAWL_PORT: '0',
    PAWL_AUTH: 'loopback-open',
    PAWL_FILES_ROOT: options.filesRoot ?? REPOSITORY,
    PAWL_WRITE_ROOT: options.writeRoot ?? options.filesRoot ?? REPOSITORY,
    PAWL_LOG_LEVEL: 'info',
    // The services that tests start are on this machine.
    PAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8, ::1',
    ...options.env,
  };
  env.PAWL_TOOLS &&= await bundled(env.PAWL_TOOLS);
  const engines: Pawl['engines'] = [];
  const workers: PawlProcess[] = [];
  const startEngine = async (more: Record<string, string> = {}) => {
    const engine = await startProcess('engine', { ...env, ...more });
    engines.push(engine);
    return engine;
  };
  const startWorker = async (more: Record<string, string> = {}) => {
    const worker = await startProcess('workers', { PAWL_CALLBACK_URL: url, ...env, ...more });
    workers.push(worker);
    return worker;
  };
  let replacing = Promise.resolve();
  const replace = async (): Promise<void> => {
    const alive = workers.filter((worker) => !worker.hasEnded());
    for (const worker of alive) worker.kill('SIGKILL');
    await Promise.all(alive.map(({ ended }) => ended));
    await startWorker();
  };
  const { url } = await startEngine();
  await Promise.all(Array.from({ length: options.workers ?? 1 }, () => startWorker()));
  return {
    url,
    databaseUrl,
    client: createClient({ baseUrl: url }),
    engines,
    workers,
    startWorker,
    startEngine,
    async needWorker() {
      if (workers.every((worker) => worker.hasEnded())) await startWorker();
    },
    replaceWorkers() {
      replacing = replacing.then(replace);
      return replacing;
    },
    async rowsEqualFold() {
      const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
      try {
        return (await checkRowsEqualFold(pool)).differences;
      } finally {
        await pool.end();
      }
    },
    async stop() {
      for (const child of [...workers, ...engines]) child.kill('SIGKILL');
      await Promise.all([...workers, ...engines].map((child) => child.ended));
      await database?.drop();
    },
  };
}

/** The same tools as one file each: hundreds of workers of the tests need not compile them. */
const bundled = async (specifiers: string): Promise<string> =>
  (
    await Promise.all(specifiers.split(',').map((path) => (path.endsWith('.ts') ? bundleOf(path) : path)))
  ).join();

async function startProcess(
  app: 'engine' | 'workers',
  env: Record<string, string>,
): Promise<PawlProcess & { url: string }> {
  const child: ChildProcess = spawn(
    process.execPath,
    nodeArguments(join(REPOSITORY, 'apps', app, 'src/main.ts')),
    { cwd: REPOSITORY, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  let log = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-200_000);
  });
  let isOver = false;
  let isReady = false;
  let isAsked = false;
  const ended = once(child, 'exit').then(([code, signal]) => {
    isOver = true;
    if (!isAsked && isReady)
      console.warn(
        `The ${app} process ${child.pid} ended by itself (${signal ?? code}):\n${log.slice(-4_000)}`,
      );
  });
  const lines = createInterface({ input: child.stdout! });
  const ready = new Promise<{ url?: string }>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.startsWith('{"ready":true')) resolve(JSON.parse(line));
    });
    ended.then(() => reject(new Error(`The ${app} process ended before it was ready:\n${log}`)));
  });
  const said = await ready;
  isReady = true;
  const { url = '' } = said;
  return {
    pid: child.pid!,
    url,
    ready: { ...said },
    log: () => log,
    kill(signal) {
      isAsked = true;
      child.kill(signal);
    },
    ended,
    hasEnded: () => isOver,
  };
}

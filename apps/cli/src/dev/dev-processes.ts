import { join } from 'node:path';
import type { Io } from '../io.ts';
import { duration } from '../output/values.ts';
import type { AppCommand } from './app-process.ts';
import type { DataFolder } from './data-folder.ts';
import type { DevParts } from './dev-parts.ts';
import { type SupervisedApp, type SuperviseOptions, supervise } from './supervise.ts';

/** Time for a worker to finish what it does after it was asked to end. */
const GRACE_MS = 15_000;

export interface DevProcesses {
  /** Address of the engine. */
  readonly url: string;
  readonly apps: readonly SupervisedApp[];
  /** Workers first, so that what they finish still finds its engine. */
  stop(): Promise<void>;
}

export interface ProcessSettings {
  readonly parts: DevParts;
  readonly data: DataFolder;
  readonly databaseUrl: string;
  readonly port: number;
  readonly workerCount: number;
  /** For workers, besides what all processes are told. */
  readonly workerEnv: Readonly<Record<string, string>>;
  readonly tell: (line: string) => void;
  readonly io: Io;
}

/**
 * Starts one engine and the workers and waits until all take work.
 *
 * @throws {PartFailsError} when one does not start; all are ended then
 */
export async function startProcesses(settings: ProcessSettings): Promise<DevProcesses> {
  const watch = watchOptions(settings);
  const apps: SupervisedApp[] = [];
  const killAll = (): void => apps.forEach((app) => void app.kill());
  // A second Ctrl-C ends this process at once; nothing may stay behind.
  process.once('exit', killAll);
  try {
    const engine = supervise(engineCommand(settings), watch);
    apps.push(engine);
    const { url } = await engine.ready;
    const workers = numbers(settings.workerCount).map((number) =>
      supervise(workerCommand(settings, number, url), watch),
    );
    apps.push(...workers);
    await Promise.all(workers.map((worker) => worker.ready));
    return {
      url: url ?? `http://127.0.0.1:${settings.port}`,
      apps,
      async stop() {
        await Promise.all(workers.map((worker) => worker.stop(GRACE_MS)));
        await engine.stop(GRACE_MS);
        process.removeListener('exit', killAll);
      },
    };
  } catch (error) {
    killAll();
    throw error;
  }
}

function watchOptions({ tell, io }: ProcessSettings): SuperviseOptions {
  const { colours } = io;
  return {
    onEnd: ({ title, pid, how, restartInMs }) => {
      const when = restartInMs === 0 ? 'starting it again' : `starting it again in ${duration(restartInMs)}`;
      tell(`${colours.yellow(title)} (process ${pid}) ended: ${how}; ${when}`);
    },
    onReadyAgain: (title, pid) => tell(`${colours.green(title)} works again (process ${pid})`),
  };
}

function engineCommand(settings: ProcessSettings): AppCommand {
  return {
    title: 'engine',
    args: settings.parts.engine,
    logFile: join(settings.data.logs, 'engine.log'),
    env: {
      ...sharedEnv(settings),
      PAWL_HOST: '127.0.0.1',
      PAWL_PORT: String(settings.port),
      // One machine, one user: who reaches the loopback address may use it.
      PAWL_AUTH: 'loopback-open',
    },
  };
}

function workerCommand(settings: ProcessSettings, number: number, url = ''): AppCommand {
  return {
    title: `worker ${number}`,
    args: settings.parts.worker,
    logFile: join(settings.data.logs, `worker-${number}.log`),
    env: { ...sharedEnv(settings), ...(url && { PAWL_CALLBACK_URL: url }), ...settings.workerEnv },
  };
}

function sharedEnv({ databaseUrl, data, parts, io }: ProcessSettings): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    PAWL_FILES_ROOT: io.env.PAWL_FILES_ROOT ?? parts.filesRoot,
    PAWL_WRITE_ROOT: io.env.PAWL_WRITE_ROOT ?? data.output,
    PAWL_LOG_LEVEL: io.env.PAWL_LOG_LEVEL ?? 'info',
  };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

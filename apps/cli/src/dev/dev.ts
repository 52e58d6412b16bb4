import { rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { createClient } from '@pawl/api';
import type { Run } from '../api-types.ts';
import { printJson, type Shell } from '../command.ts';
import { DEFAULT_PORT } from '../connection.ts';
import { DatabaseStartError, EXIT, InterruptedError, PortTakenError } from '../errors.ts';
import { exitCodeOf } from '../output/statuses.ts';
import { plural } from '../output/values.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { printDemo, runDemo } from './demo.ts';
import { type DevDatabase, openDevDatabase } from './dev-database.ts';
import type { DevParts } from './dev-parts.ts';
import { type DevProcesses, startProcesses } from './dev-processes.ts';
import { type DevScreen, newScreen } from './dev-screen.ts';
import { checkExample, publishExamples } from './example-flows.ts';
import { startExampleServices } from './example-services.ts';
import { freePort } from './free-port.ts';
import { tail } from './log-tail.ts';
import { ADDRESS_FILE } from './running-dev.ts';

export interface DevOptions {
  /** Ends after the main example. */
  readonly once?: boolean;
  readonly port?: number;
  readonly data?: string;
  readonly workers: number;
  /** Publishes the examples and runs the main one. */
  readonly demo: boolean;
  /** Which example is the main one, instead of the usual. */
  readonly example?: string;
  readonly json?: boolean;
}

/**
 * Brings everything up on this machine, runs the main example and stays until interrupted. Whatever ends it, all that it
 * started is stopped again, last first.
 */
export async function runDev(options: DevOptions, shell: Shell, usual: DevParts): Promise<void> {
  const { io } = shell;
  const parts = { ...usual, mainExample: options.example ?? usual.mainExample };
  const screen = newScreen(io, Boolean(options.json));
  const undo: (() => Promise<unknown> | undefined)[] = [];
  try {
    if (options.example) await checkExample(parts.examples, options.example);
    const data = await openDataFolder(resolve(io.cwd, options.data ?? '.pawl'));
    undo.push(() => data.lock.release());
    if (data.lock.tookOver) screen.tell('An earlier start was killed; what it left is cleaned up.');
    const port = await choosePort(options.port);

    const database = await openDevDatabase(data.postgres, io.env.DATABASE_URL);
    undo.push(() => database.bundled?.stop());
    const must = <T>(work: Promise<T>): Promise<T> => unlessStopped(work, shell, database);
    await must(parts.migrate(database.url, { log: screen.tell }));
    const services = await must(
      startExampleServices(parts.examples, parts.mainExample, {
        databaseUrl: database.url,
        folder: join(data.path, 'examples', parts.mainExample),
      }),
    );
    undo.push(() => services?.stop());

    const settings = {
      parts,
      data,
      port,
      io,
      databaseUrl: database.url,
      workerCount: options.workers,
      workerEnv: services?.env ?? {},
      tell: screen.tell,
    };
    const processes = await must(startProcesses(settings));
    undo.push(() => processes.stop());
    await writeFile(join(data.path, ADDRESS_FILE), `${processes.url}\n`);
    undo.push(() => rm(join(data.path, ADDRESS_FILE), { force: true }));
    announce(processes, database, data, screen, shell);
    for (const line of services?.words ?? []) screen.tell(io.colours.dim(`  ${line}`));

    const run = options.demo ? await must(demonstrate(processes, parts, screen, shell)) : undefined;
    if (options.json) printJson(shell, { url: processes.url, ...(run ? { run } : {}) });
    else if (run) await printDemo(run, data.output, io);
    if (options.once) {
      const isWell = run === undefined || exitCodeOf(run.status) === EXIT.ok;
      shell.outcome.exitCode = isWell ? EXIT.ok : EXIT.failed;
    } else {
      await stayUp(processes, parts.mainExample, must, screen, shell);
    }
  } finally {
    if (io.interrupted.aborted) screen.tell('Stopping … (Ctrl-C again stops at once)');
    for (const step of undo.reverse()) {
      // What cannot be stopped must not keep the rest running.
      await Promise.resolve(step()).catch((error: unknown) =>
        screen.tell(`Stopping failed in part: ${String(error)}`),
      );
    }
  }
}

async function choosePort(asked: number | undefined): Promise<number> {
  if (asked === undefined) return freePort(DEFAULT_PORT);
  if (asked !== 0 && (await freePort(asked)) !== asked) throw new PortTakenError(asked);
  return freePort(asked);
}

/** The work, unless the user interrupts or the bundled database ends meanwhile. */
async function unlessStopped<T>(work: Promise<T>, { io }: Shell, { bundled }: DevDatabase): Promise<T> {
  const leave = new AbortController();
  const interrupted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new InterruptedError());
    if (io.interrupted.aborted) stop();
    io.interrupted.addEventListener('abort', stop, { once: true, signal: leave.signal });
  });
  const lost = bundled?.ended.then(async () => {
    // When this process is asked to end, so may be the whole group: that is no fault of the database.
    if (io.interrupted.aborted) throw new InterruptedError();
    throw new DatabaseStartError('ended by itself', await tail(bundled.logFile), bundled.logFile);
  });
  lost?.catch(() => undefined);
  try {
    return await Promise.race([work, interrupted, ...(lost ? [lost] : [])]);
  } finally {
    work.catch(() => undefined);
    leave.abort();
  }
}

function announce(
  processes: DevProcesses,
  database: DevDatabase,
  data: DataFolder,
  screen: DevScreen,
  { io }: Shell,
): void {
  const { bold, dim } = io.colours;
  const queue = io.env.REDIS_URL ? 'Redis' : 'the same database';
  screen.tell(`${bold('Pawl')} runs at ${bold(processes.url)}`);
  screen.tell(dim(`  database   ${database.words}`));
  screen.tell(dim(`  queue      ${queue}`));
  screen.tell(dim(`  processes  ${processes.apps.map((app) => `${app.title} ${app.pid()}`).join(', ')}`));
  screen.tell(dim(`  data, logs ${relative(io.cwd, data.path) || data.path}`));
}

async function demonstrate(
  processes: DevProcesses,
  parts: DevParts,
  screen: DevScreen,
  { io }: Shell,
): Promise<Run> {
  const client = createClient({ baseUrl: processes.url });
  const published = await publishExamples(client, parts, io);
  const names = published.map((each) => `${each.flow} (version ${each.number})`).join(', ');
  screen.tell(io.colours.dim(`  examples   ${plural(published.length, 'flow')}: ${names}`));
  screen.tell('');
  return screen.withView((view) => runDemo(client, parts, io, view));
}

async function stayUp(
  processes: DevProcesses,
  example: string,
  must: <T>(work: Promise<T>) => Promise<T>,
  screen: DevScreen,
  { io }: Shell,
): Promise<void> {
  screen.tell('');
  screen.tell(`Pawl stays up at ${io.colours.bold(processes.url)} until Ctrl-C. In another terminal:`);
  for (const line of ['pawl run list', `pawl run start ${example} --input <file> --watch`, 'pawl --help']) {
    screen.tell(`  ${io.colours.cyan(`npx ${line}`)}`);
  }
  try {
    await must(new Promise<never>(() => undefined));
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
  }
}

import { PartFailsError } from '../errors.ts';
import { type AppCommand, type AppProcess, type ReadyLine, startApp } from './app-process.ts';
import { tail } from './log-tail.ts';

/** A process that is started again whenever it ends by itself. */
export interface SupervisedApp {
  readonly title: string;
  /** Of the first start. @throws {PartFailsError} when it ends again and again before it takes work */
  readonly ready: Promise<ReadyLine>;
  /** Process id of the one that runs now. */
  readonly pid: () => number;
  /** Asks it to end well and kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** At once. */
  kill(): void;
}

export interface SuperviseOptions {
  /** Told whenever the process ended by itself. */
  readonly onEnd: (end: {
    readonly title: string;
    readonly pid: number;
    readonly how: string;
    readonly restartInMs: number;
  }) => void;
  /** Told whenever it takes work again after a restart. */
  readonly onReadyAgain?: (title: string, pid: number) => void;
  /** Pause before the first, second, … restart in a row; the last one counts for all that follow. */
  readonly backoffMs?: readonly number[];
}

const BACKOFF_MS = [0, 500, 1_000, 2_000, 5_000, 10_000] as const;
/** A process that lived this long is healthy: its next restart is a first one again. */
const HEALTHY_MS = 30_000;
/** Ends in a row without ever having taken work that show a fault of its own. */
const HOPELESS_STARTS = 3;

/** Starts a process and keeps it running. */
export function supervise(command: AppCommand, options: SuperviseOptions): SupervisedApp {
  const backoffMs = options.backoffMs ?? BACKOFF_MS;
  const first = withResolvers<ReadyLine>();
  first.promise.catch(() => undefined);
  let app: AppProcess;
  let restart: NodeJS.Timeout | undefined;
  let isStopping = false;
  let wasReady = false;
  let endsInARow = 0;
  let lastEnd: Promise<unknown> = Promise.resolve();
  start();
  return {
    title: command.title,
    ready: first.promise,
    pid: () => app.pid,
    async stop(graceMs) {
      isStopping = true;
      clearTimeout(restart);
      app.signal('SIGTERM');
      const force = setTimeout(() => app.signal('SIGKILL'), graceMs);
      await lastEnd;
      clearTimeout(force);
    },
    kill() {
      isStopping = true;
      clearTimeout(restart);
      app.signal('SIGKILL');
    },
  };

  function start(): void {
    app = startApp(command);
    const started = app;
    lastEnd = started.ended.then((how) => onEnd(started, how));
    void started.ready.then((ready) => {
      if (wasReady) options.onReadyAgain?.(command.title, started.pid);
      wasReady = true;
      first.resolve(ready);
    });
  }

  async function onEnd(ended: AppProcess, how: string): Promise<void> {
    if (isStopping) return;
    endsInARow = Date.now() - ended.startedAt >= HEALTHY_MS ? 1 : endsInARow + 1;
    if (!wasReady && endsInARow >= HOPELESS_STARTS) {
      const log = await tail(command.logFile);
      first.reject(new PartFailsError(command.title, `does not start (${how})`, command.logFile, log));
      return;
    }
    const restartInMs = backoffMs[Math.min(endsInARow, backoffMs.length) - 1] ?? 0;
    options.onEnd({ title: command.title, pid: ended.pid, how, restartInMs });
    restart = setTimeout(start, restartInMs);
  }
}

/** `Promise.withResolvers` came with Node 22. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

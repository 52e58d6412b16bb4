import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** How to start one of the processes. */
export interface AppCommand {
  /** `engine`, `worker 1`: in what is told, and the name of its log. */
  readonly title: string;
  /** Arguments of `node`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Takes its standard error, and what it prints besides the line that it is ready. */
  readonly logFile: string;
}

/** What a process prints on standard output, as one line of JSON, when it takes work. */
export interface ReadyLine {
  readonly ready: true;
  readonly url?: string;
}

export interface AppProcess {
  readonly pid: number;
  readonly startedAt: number;
  /** Never settles when the process ends before. */
  readonly ready: Promise<ReadyLine>;
  /** `exit code 1`, `SIGKILL`. Never rejects. */
  readonly ended: Promise<string>;
  readonly signal: (name: NodeJS.Signals) => void;
}

/**
 * Starts a process in a group of its own, so that Ctrl-C in the terminal reaches us only and we decide the order of
 * stopping. It ends with us: it sees its channel close.
 */
export function startApp(command: AppCommand): AppProcess {
  const log = openSync(command.logFile, 'a');
  const child = spawn(process.execPath, [...command.args], {
    stdio: ['ignore', 'pipe', log, 'ipc'],
    detached: true,
    env: { ...process.env, ...command.env, PAWL_PARENT_PID: String(process.pid) },
  });
  const startedAt = Date.now();
  const ended = endOf(child).finally(() => closeSync(log));
  return {
    pid: child.pid ?? 0,
    startedAt,
    ready: readyLineOf(child, (line) => writeSync(log, `${line}\n`)),
    ended,
    signal: (name) => void child.kill(name),
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // `close` and not `exit`: what it printed last has been read then.
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

function readyLineOf(child: ChildProcess, keep: (line: string) => void): Promise<ReadyLine> {
  return new Promise((resolve) => {
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = parseReady(line);
      if (ready) resolve(ready);
      else keep(line);
    });
  });
}

function parseReady(line: string): ReadyLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(line) as Partial<ReadyLine>;
    return value.ready === true ? { ready: true, ...(value.url ? { url: value.url } : {}) } : undefined;
  } catch {
    return undefined;
  }
}

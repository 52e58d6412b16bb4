import { readFileSync } from 'node:fs';
import type { ExitCode } from './errors.ts';
import { type Io, processIo } from './io.ts';

/**
 * Gives the process to one command: the first interrupt asks it to end well, the second ends it at once; its exit code is
 * that of the process.
 */
export async function runUntilSignal(work: (io: Io) => Promise<ExitCode>): Promise<void> {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (interruption.signal.aborted) process.exit(130);
      interruption.abort();
    });
  }
  // A reader that went away, such as `head`, is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  if (process.env.npm_command) interruptWithoutParent(interruption);
  const exitCode = await work(processIo(interruption.signal));
  // Open connections that a command left must not keep the process; what it printed must be out.
  process.stdout.write('', () => process.exit(exitCode));
}

const PARENT_LOOK_MS = 1_000;

/**
 * Started by `npm start` or `npx`, this process has a parent (npm, often with a shell between) that only waits for it; when
 * that one is killed and cannot pass the signal on, nobody can stop this one any more. (Started by a person's shell,
 * outliving it may be wanted.)
 */
function interruptWithoutParent(interruption: AbortController): void {
  const behindShell = /^(?:ba|da)?sh$/.test(nameOf(process.ppid));
  const ancestry = (): string => `${process.ppid} ${behindShell ? parentOf(process.ppid) : ''}`;
  const atStart = ancestry();
  setInterval(() => {
    if (ancestry() !== atStart) interruption.abort();
  }, PARENT_LOOK_MS).unref();
}

// Linux tells; elsewhere the nearest parent alone is watched.
const parentOf = (pid: number): string => statOf(pid).split(') ')[1]?.split(' ')[1] ?? '';
const nameOf = (pid: number): string => /\((.*)\)/.exec(statOf(pid))?.[1] ?? '';

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** True when a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * What tells a process from a later one with the same id: its start as the system counts it.
 *
 * @returns undefined when there is no such process or the system does not say
 */
export async function startMark(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; field 22 is the start time in ticks since boot.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return (await ps(pid, 'lstart=')) || undefined;
  }
}

/** The command line of a process, words joined by spaces; empty when it cannot be read. */
export async function commandLine(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch {
    return ps(pid, 'command=');
  }
}

/** Waits until the process is gone; false when it still lives after `timeoutMs`. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await pause(20);
  }
  return true;
}

/** A pause between two looks at something that sends no event, such as a file of another process. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function ps(pid: number, column: string): Promise<string> {
  try {
    return (await run('ps', ['-o', column, '-p', String(pid)])).stdout.trim();
  } catch {
    return '';
  }
}

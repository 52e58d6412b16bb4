import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { OrphanStaysError } from '../errors.ts';
import { commandLine, isAlive, waitUntilGone } from './live-process.ts';

/** What a running PostgreSQL writes about itself into its data folder. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

/** Reads `postmaster.pid`; undefined when there is none or it is not written to the end yet. */
export async function readPostmaster(dataDir: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3] ?? 0), isReady: (lines[7] ?? '').trim() === 'ready' };
}

/**
 * Clears what a killed start left in the data folder. The caller holds the folder's lock, so a PostgreSQL that still
 * runs on it has no owner any more: it is stopped. A `postmaster.pid` of a dead server, or one whose process id now
 * belongs to something else, is removed.
 *
 * @returns what was found
 * @throws {OrphanStaysError} when the server does not stop
 */
export async function clearLeftovers(dataDir: string): Promise<'nothing' | 'stale file' | 'orphan'> {
  const left = await readPostmaster(dataDir);
  if (!left) return 'nothing';
  if (isAlive(left.pid) && (await isServerOf(left.pid, dataDir))) {
    await stopOrphan(left.pid, dataDir);
    return 'orphan';
  }
  await unlink(join(dataDir, 'postmaster.pid')).catch(() => undefined);
  return 'stale file';
}

async function isServerOf(pid: number, dataDir: string): Promise<boolean> {
  const words = ` ${await commandLine(pid)} `;
  return words.includes('postgres') && words.includes(` ${dataDir} `);
}

async function stopOrphan(pid: number, dataDir: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw new OrphanStaysError(pid, dataDir);
    }
    if (await waitUntilGone(pid, 10_000)) return;
  }
  throw new OrphanStaysError(pid, dataDir);
}

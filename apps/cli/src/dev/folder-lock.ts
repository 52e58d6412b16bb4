import { link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUseError } from '../errors.ts';
import { isAlive, startMark } from './live-process.ts';

// Rules kept here: one living process owns a data folder. A lock names its owner by process id and start mark, so that
// a later process with the same id is not taken for the owner. A lock appears complete or not at all (hard link).

interface Owner {
  readonly pid: number;
  readonly mark: string | undefined;
  /** ISO 8601, for the message only. */
  readonly since: string;
}

export interface FolderLock {
  /** True when a dead owner's lock was taken over: its leftovers may be there. */
  readonly tookOver: boolean;
  release(): Promise<void>;
}

/**
 * Takes the data folder for this process.
 *
 * @throws {FolderInUseError} when a living process holds it
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'lock.json');
  const me: Owner = {
    pid: process.pid,
    mark: await startMark(process.pid),
    since: new Date().toISOString(),
  };
  const draft = join(folder, `lock.${process.pid}.${Date.now()}`);
  await writeFile(draft, JSON.stringify(me), { mode: 0o644 });
  let tookOver = false;
  try {
    while (!(await placed(draft, file))) {
      const owner = await readOwner(file);
      if (owner && (await isOwnerAlive(owner))) throw new FolderInUseError(folder, owner);
      tookOver = true;
      await removeStale(file, owner);
    }
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  return { tookOver, release: () => unlink(file).catch(() => undefined) };
}

async function placed(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as Partial<Owner>;
    return typeof value.pid === 'number'
      ? { pid: value.pid, mark: value.mark, since: String(value.since) }
      : undefined;
  } catch {
    return undefined;
  }
}

async function isOwnerAlive(owner: Owner): Promise<boolean> {
  if (!isAlive(owner.pid)) return false;
  const mark = await startMark(owner.pid);
  return mark === undefined || owner.mark === undefined || mark === owner.mark;
}

/** Two takers may see the same dead owner: only the one whose rename gets that very lock removes it. */
async function removeStale(file: string, stale: Owner | undefined): Promise<void> {
  const aside = `${file}.stale.${process.pid}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const got = await readOwner(aside);
  if (got && JSON.stringify(got) !== JSON.stringify(stale)) await link(aside, file).catch(() => undefined);
  await unlink(aside).catch(() => undefined);
}

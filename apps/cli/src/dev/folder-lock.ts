import { link, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUseError } from '../errors.ts';
import { isAlive, startMark } from './live-process.ts';

// Rules kept here: one living process owns a data folder. Locks are files `lock.1`, `lock.2`, …: who finds only dead
// owners makes the next one, which the file system lets one process do (hard link of a complete file), and looks again:
// with another living owner there it steps back. A lock names its owner by process id and start mark, so that a later
// process with the same id is not taken for the owner.

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
  const draft = await writeDraft(folder);
  try {
    for (;;) {
      const before = await lockNumbers(folder);
      await refuseLivingOwner(folder, before);
      const mine = Math.max(0, ...before) + 1;
      if (!(await placed(draft, lockFile(folder, mine)))) continue;
      await stepBackFromOthers(folder, mine);
      await Promise.all(before.map((number) => remove(lockFile(folder, number))));
      return { tookOver: before.length > 0, release: () => remove(lockFile(folder, mine)) };
    }
  } finally {
    await remove(draft);
  }
}

let draftCount = 0;

async function writeDraft(folder: string): Promise<string> {
  const owner: Owner = {
    pid: process.pid,
    mark: await startMark(process.pid),
    since: new Date().toISOString(),
  };
  const draft = join(folder, `draft-of-lock.${process.pid}.${++draftCount}`);
  await writeFile(draft, JSON.stringify(owner));
  return draft;
}

const lockFile = (folder: string, number: number): string => join(folder, `lock.${number}`);

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => /^lock[.](\d+)$/.exec(name)?.[1] ?? []).map(Number);
}

async function refuseLivingOwner(folder: string, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const owner = await readOwner(lockFile(folder, number));
    if (owner && (await isOwnerAlive(owner))) throw new FolderInUseError(folder, owner);
  }
}

async function stepBackFromOthers(folder: string, mine: number): Promise<void> {
  const others = (await lockNumbers(folder)).filter((number) => number !== mine);
  try {
    await refuseLivingOwner(folder, others);
  } catch (error) {
    await remove(lockFile(folder, mine));
    throw error;
  }
}

const remove = (file: string): Promise<void> => unlink(file).catch(() => undefined);

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

// Which mistake would this catch? Two starts that own one folder, or a folder that stays locked after a crash.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../src/dev/folder-lock.ts';
import { startMark } from '../../src/dev/live-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const writeLock = (owner: object): Promise<void> => writeFile(join(folder, 'lock.1'), JSON.stringify(owner));

test('when a living process holds the folder, a second start is refused and told who holds it', async () => {
  const lock = await lockFolder(folder);
  expect(lock.tookOver).toBe(false);
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'folder_in_use',
    exitCode: 7,
    message: expect.stringMatching(
      new RegExp(`^Folder ${folder} is in use by process ${process.pid}, started .*--data`),
    ),
  });
  await lock.release();
  await (await lockFolder(folder)).release();
  expect(await readdir(folder)).toEqual([]);
});

test('when the holder was killed, its lock is taken over', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const pid = child.pid as number;
  await writeLock({ pid, mark: await startMark(pid), since: 'before' });
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'folder_in_use' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = await lockFolder(folder);
  expect(lock.tookOver).toBe(true);
  expect(JSON.parse(await readFile(join(folder, 'lock.2'), 'utf8'))).toMatchObject({ pid: process.pid });
});

test('when another process has the id of a dead holder by now, the lock is taken over', async () => {
  await writeLock({ pid: process.pid, mark: '1', since: 'long ago' });
  expect((await lockFolder(folder)).tookOver).toBe(true);
});

test('when the lock file is cut or empty, it is taken over', async () => {
  await writeFile(join(folder, 'lock.1'), '{"pid":');
  expect((await lockFolder(folder)).tookOver).toBe(true);
});

test('when many find the same dead lock at once, exactly one gets the folder', async () => {
  await writeLock({ pid: 2 ** 22 + 1, mark: '1', since: 'before' });
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
  expect(tries.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
  expect(await readdir(folder)).toEqual(['lock.2']);
});

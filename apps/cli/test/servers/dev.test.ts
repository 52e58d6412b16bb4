// Which mistake would this catch? A start that leaves processes behind, hides that one died, or trips over a killed one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DevOptions, runDev } from '../../src/dev/dev.ts';
import { isAlive, waitUntilGone } from '../../src/dev/live-process.ts';
import { EXIT, type ExitCode } from '../../src/errors.ts';
import { nodeArguments } from '../../src/repository.ts';
import { fakeIo } from '../support/run-pawl.ts';
import { standIns } from './stand-ins/parts.ts';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-dev-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** Runs `pawl dev` in this process until it ends. */
async function dev(options: Partial<DevOptions>, changes: Parameters<typeof standIns>[0] = {}) {
  const { io, printed } = fakeIo();
  const outcome: { exitCode: ExitCode } = { exitCode: EXIT.ok };
  const all = { data: folder, workers: 1, demo: true, port: 0, ...options };
  const error: unknown = await runDev(all, { io, outcome }, standIns(changes)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { exitCode: outcome.exitCode, out: printed.out, error };
}

/** Process ids of a line such as `processes  engine 12, worker 1 34`. */
function pidsIn(text: string): number[] {
  const line = /processes +(.*)/.exec(text)?.[1] ?? '';
  return [...line.matchAll(/ (\d+)(?:,|$)/g)].map((match) => Number(match[1]));
}

describe('pawl dev --once', () => {
  test('when the main example succeeds, it prints progress and result, stops everything and exits 0', async () => {
    const { exitCode, out, error } = await dev({ once: true });
    expect(error).toBeUndefined();
    expect(exitCode).toBe(0);
    expect(out).toMatch(/Pawl runs at http:\/\/127\.0\.0\.1:\d+/);
    expect(out).toMatch(/database {3}bundled PostgreSQL, port \d+/);
    expect(out).toContain('examples   1 flow: demo (version 1)');
    expect(out).toContain('First: done\nSecond: done\n');
    expect(out).toContain('"sent": 2');
    const pids = pidsIn(out);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(['logs', 'output', 'postgres']);
    await expect(access(join(folder, 'postgres', 'data', 'postmaster.pid'))).rejects.toThrow();
    expect(await readFile(join(folder, 'logs', 'engine.log'), 'utf8')).toContain('a line that is no JSON');
    expect(await readFile(join(folder, 'logs', 'worker-1.log'), 'utf8')).toContain('this worker is alone');
  });

  test('when the main example fails, it exits 1', async () => {
    const { exitCode, error } = await dev({ once: true }, { examples: 'failing-examples' });
    expect({ exitCode, error }).toEqual({ exitCode: 1, error: undefined });
  });

  test('when asked for JSON, one object is all that is printed', async () => {
    const { out } = await dev({ once: true, json: true });
    expect(JSON.parse(out)).toMatchObject({
      url: expect.stringMatching(/^http:/),
      run: { status: 'succeeded' },
    });
  });

  test('when started again on the same folder, the data is still there', async () => {
    await dev({ once: true, demo: false });
    const again = await dev({ once: true, demo: false, workers: 2 });
    expect(again).toMatchObject({ exitCode: 0, error: undefined });
    expect(again.out).not.toContain('An earlier start was killed');
  });

  test('when a worker never starts, it says so with the end of its log, stops everything and fails', async () => {
    const { error } = await dev({ once: true }, { worker: 'broken-worker.ts' });
    expect(error).toMatchObject({
      code: 'part_fails',
      exitCode: 1,
      message: expect.stringMatching(
        /^The worker 1 does not start \(exit code 1\)[\s\S]*This worker never starts/,
      ),
    });
    expect((await readdir(folder)).sort()).toEqual(['logs', 'output', 'postgres']);
  });

  test('when an example with services is named, they are there before the workers and stopped at the end', async () => {
    const { error, out } = await dev({ once: true, example: 'served' });
    expect(error).toBeUndefined();
    expect(out).toContain('service    of the stand-in');
    expect(out).toContain('examples   2 flows');
    expect(await readFile(join(folder, 'logs', 'worker-1.log'), 'utf8')).toContain('this worker is served');
    expect(await readFile(join(folder, 'examples/served/note'), 'utf8')).toBe('started at /pawlstopped');
  });

  test('when an example is named that is not there, it says which are', async () => {
    const { error } = await dev({ once: true, example: 'serve' });
    expect(error).toMatchObject({
      code: 'usage',
      message: 'There is no example serve: choose one of demo, served.',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('when a port is asked for by number and taken, it is refused by name', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const { error } = await dev({ once: true, port });
    expect(error).toMatchObject({
      code: 'port_taken',
      exitCode: 7,
      message: expect.stringContaining(`Port ${port}`),
    });
    blocker.close();
  });
});

describe('pawl dev as a process', () => {
  test('when a worker is killed, a line says so and a new one takes over; Ctrl-C stops everything and exits 0', async () => {
    const started = start('examples', 'served');
    await started.until(/stays up/);
    expect(started.text()).toContain('service    of the stand-in');
    const [engine, first, second] = pidsIn(started.text()) as [number, number, number];
    process.kill(first, 'SIGKILL');
    await started.until(/worker 1 works again \(process \d+\)/);
    expect(started.text()).toContain(`worker 1 (process ${first}) ended: SIGKILL; starting it again`);
    const replaced = Number(/works again \(process (\d+)\)/.exec(started.text())?.[1]);
    expect([engine, second, replaced].every(isAlive)).toBe(true);
    started.child.kill('SIGINT');
    expect(await started.exit).toBe(0);
    expect(started.text()).toContain('Stopping …');
    expect([engine, second, replaced].filter(isAlive)).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(['examples', 'logs', 'output', 'postgres']);
  });

  test('when interrupted while the example runs, it stops everything and exits 130', async () => {
    const started = start('endless-examples');
    await started.until(/Second: done/);
    const pids = pidsIn(started.text());
    started.child.kill('SIGTERM');
    expect(await started.exit).toBe(130);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('when a second one is started on the same folder, it is refused and the first goes on', async () => {
    const first = start();
    await first.until(/stays up/);
    const { error } = await dev({ once: true });
    expect(error).toMatchObject({
      code: 'folder_in_use',
      exitCode: 7,
      message: expect.stringContaining(`Folder ${folder} is in use by process ${first.child.pid}`),
    });
    expect(pidsIn(first.text()).every(isAlive)).toBe(true);
    first.child.kill('SIGINT');
    expect(await first.exit).toBe(0);
  });

  test('when killed with SIGKILL, everything it started ends by itself and the next start cleans up', async () => {
    const killed = start();
    await killed.until(/stays up/);
    const postmaster = Number(
      (await readFile(join(folder, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0],
    );
    const pids = [...pidsIn(killed.text()), postmaster];
    killed.child.kill('SIGKILL');
    await Promise.all(pids.map(async (pid) => expect(await waitUntilGone(pid, 20_000)).toBe(true)));
    const next = await dev({ once: true });
    expect(next).toMatchObject({ exitCode: 0, error: undefined });
    expect(next.out).toContain('An earlier start was killed; what it left is cleaned up.');
  });
});

function start(examples = 'examples', example?: string) {
  const main = fileURLToPath(new URL('./stand-ins/dev.ts', import.meta.url));
  const child = spawn(process.execPath, [
    ...nodeArguments(main),
    folder,
    examples,
    ...(example ? [example] : []),
  ]);
  children.push(child);
  let text = '';
  let heard = (): void => undefined;
  const listen = (chunk: Buffer): void => {
    text += chunk.toString();
    heard();
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  const exit = once(child, 'exit').then(([code]) => code as number);
  const found = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      heard = () => {
        if (pattern.test(text)) resolve();
      };
      heard();
    });
  return {
    child,
    exit,
    text: () => text,
    /** Waits for words in what it prints; fails when it ends before. */
    until: (pattern: RegExp) =>
      Promise.race([
        found(pattern),
        exit.then((code) => {
          throw new Error(`ended with ${code} before ${pattern}:\n${text}`);
        }),
      ]),
  };
}

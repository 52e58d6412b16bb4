// Which mistake would this catch? A start that trips over what a killed start left, or that loses data or leaves a server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/dev/embedded-postgres.ts';
import { isAlive, waitUntilGone } from '../../src/dev/live-process.ts';

const RUN = fileURLToPath(new URL('../../../../scripts/run.js', import.meta.url));

let folder: string;
const running: EmbeddedPostgres[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-embedded-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop({ mode: 'immediate' })));
  await rm(folder, { recursive: true, force: true });
});

async function start(options: { preferredPort?: number } = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ folder, ...options });
  running.push(server);
  return server;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

describe('the bundled PostgreSQL', () => {
  test('when it starts, it is UTF-8 with fsync on and listens on loopback only', async () => {
    const { url } = await start();
    const [row] = await query(
      url,
      `select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding,
        current_setting('listen_addresses') as listen, current_setting('server_version_num')::int >= 180000 as v18`,
    );
    expect(row).toEqual({ fsync: 'on', encoding: 'UTF8', listen: '127.0.0.1', v18: true });
  });

  test('when the password is wrong, it refuses', async () => {
    const { url } = await start();
    await expect(query(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/);
  });

  test.each(['fast', 'immediate', 'kill'] as const)(
    'when stopped by %s, committed rows are there after the next start',
    async (mode) => {
      const first = await start();
      await query(first.url, 'create table kept as select 42 as answer');
      await first.stop({ mode });
      expect(isAlive(first.pid)).toBe(false);
      const second = await start();
      expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    },
  );

  test('when the wanted port is taken, it takes another one', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const server = await start({ preferredPort: port });
    expect(server.port).not.toBe(port);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    blocker.close();
  });

  test('when a stale postmaster.pid names a living process that is no server of ours, it starts and leaves that process alone', async () => {
    const first = await start();
    await first.stop();
    await writeFile(
      join(folder, 'data', 'postmaster.pid'),
      `${process.pid}\n${folder}/data\n1\n5432\n\n\n\nready\n`,
    );
    const second = await start();
    expect(second.pid).not.toBe(process.pid);
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('when a server still runs on the folder without an owner, it is stopped and a new one starts on the same data', async () => {
    const orphan = await start();
    await query(orphan.url, 'create table kept as select 7 as answer');
    const next = await start();
    expect(isAlive(orphan.pid)).toBe(false);
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 7 }]);
  });

  test('when the set-up was killed half-way, the next start begins it anew', async () => {
    const first = await start();
    await first.stop();
    await writeFile(join(folder, 'setting-up'), '');
    await rm(join(folder, 'data', 'global'), { recursive: true });
    const second = await start();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('when the starting process is killed with SIGKILL, the server stops by itself', async () => {
    const starter = fileURLToPath(new URL('./start-and-wait.ts', import.meta.url));
    const child = spawn(process.execPath, [RUN, starter, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGKILL');
    expect(await waitUntilGone(pid, 20_000)).toBe(true);
  });
});

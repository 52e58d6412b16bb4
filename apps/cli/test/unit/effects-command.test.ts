// Which mistake would this catch? A filter that is dropped, or an export that was cut and passes for whole.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EffectDetail } from '../../src/api-types.ts';
import { type FakeEngine, type Handlers, startFakeEngine } from '../support/fake-engine.ts';
import { type Ran, runPawl } from '../support/run-pawl.ts';
import { at, RUN_ID, VERSION_ID } from '../support/samples.ts';

let folder: string;
let engine: FakeEngine | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-cli-'));
});
afterEach(async () => {
  expect(engine?.breaches ?? []).toEqual([]);
  await engine?.close();
  engine = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function pawl(handlers: Handlers, ...words: string[]): Promise<Ran> {
  engine = await startFakeEngine(handlers);
  return runPawl(words, { cwd: folder, env: { PAWL_URL: engine.url } });
}

const anEffect = (changes: Partial<EffectDetail> = {}): EffectDetail => ({
  id: `${RUN_ID}/7`,
  runId: RUN_ID,
  seq: 7,
  flow: 'checkout',
  version: VERSION_ID,
  path: 'pay',
  attempt: 2,
  call: 0,
  effect: 'non_repeatable',
  target: 'pay.charge@1',
  key: `${RUN_ID}:pay:0`,
  requestHash: 'h',
  at: at(90),
  status: 'uncertain',
  ...changes,
});

describe('pawl effects', () => {
  test('when filters are named, they are sent, page by page, and the effects shown', async () => {
    const listEffects: Handlers['listEffects'] = ({ query }) => ({
      body:
        query.cursor === undefined
          ? { items: [anEffect()], nextCursor: 'next' }
          : { items: [anEffect({ status: 'settled', settledAs: 'happened', settledBy: 'key:ada' })] },
    });
    const filters = ['--flow', 'checkout', '--run', RUN_ID, '--target', 'pay.*', '--class', 'non_repeatable'];
    const more = [
      '--effect-key',
      'k',
      '--status',
      'late',
      '--status',
      'lost',
      '--by',
      'key:ada',
      '--since',
      '2026-01-01',
    ];
    const ran = await pawl({ listEffects }, 'effects', ...filters, ...more);
    expect(ran.exitCode).toBe(0);
    expect(ran.out).toContain(
      `${RUN_ID}/7  1 min ago  uncertain  non_repeatable  pay.charge@1  pay (attempt 2)`,
    );
    expect(ran.out).toContain(
      'settled    non_repeatable  pay.charge@1  pay (attempt 2)  happened by key:ada',
    );
    expect(engine!.calls.map(({ query }) => query)).toEqual(
      [undefined, 'next'].map((cursor) => ({
        flow: 'checkout',
        run: RUN_ID,
        target: 'pay.*',
        effect: 'non_repeatable',
        key: 'k',
        status: ['late', 'lost'],
        by: 'key:ada',
        after: '2026-01-01T00:00:00.000Z',
        limit: '50',
        ...(cursor !== undefined && { cursor }),
      })),
    );
  });

  test('when one is named, it is shown with its arguments and what it gave; --json gives it as it is', async () => {
    const effect = anEffect({
      status: 'failed',
      failure: { code: 'declined', class: 'permanent', message: 'No.\nReally.' },
      request: { amount: 5 },
      late: { output: { id: 'ch_1' } },
    });
    const ran = await pawl({ getEffect: () => ({ body: effect }) }, 'effects', `${RUN_ID}/7`);
    expect(ran.out).toMatch(/^failure +declined \(permanent\) No\. Really\.$/m);
    expect(ran.out).toContain('arguments\n{\n  "amount": 5\n}\n');
    expect(ran.out).toContain('late answer\n{\n  "id": "ch_1"\n}\n');
    await engine!.close();
    const json = await pawl({ getEffect: () => ({ body: effect }) }, 'effects', `${RUN_ID}/7`, '--json');
    expect(JSON.parse(json.out)).toEqual(effect);
    expect(engine!.calls.at(-1)!.params).toEqual({ runId: RUN_ID, seq: '7' });
  });

  test('when exported, the lines go to standard output or to a file as they come', async () => {
    const exportEffects: Handlers['exportEffects'] = ({ query }) => ({
      bytes: {
        content: Buffer.from(`${JSON.stringify(query)}\n`),
        headers: { 'content-type': 'application/x-ndjson' },
      },
    });
    const ran = await pawl({ exportEffects }, 'effects', '--export', 'ndjson', '--target', 'pay.*');
    expect(JSON.parse(ran.out)).toEqual({ target: 'pay.*', format: 'ndjson' });
    await engine!.close();
    const words = ['--export', 'csv', '--arguments', '-o', 'effects.csv'];
    expect(await pawl({ exportEffects }, 'effects', ...words)).toMatchObject({ exitCode: 0, out: '' });
    expect(JSON.parse(await readFile(join(folder, 'effects.csv'), 'utf8'))).toEqual({
      format: 'csv',
      arguments: 'true',
    });
  });

  test('when an export is cut, the command fails and keeps no file', async () => {
    const server: Server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' });
      response.write('{"id":1}\n', () => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ran = await runPawl(['effects', '--export', 'ndjson', '-o', 'x'], {
      cwd: folder,
      env: { PAWL_URL: url },
    });
    expect(ran.exitCode).toBe(1);
    expect(ran.err).toContain('The export did not arrive as it is');
    expect(await readdir(folder)).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([
    ['an unknown format', ['--export', 'xml']],
    ['a file without an export', ['-o', 'x']],
    ['an effect that is none', ['pay']],
    ['an instant that is none', ['--since', 'yesterday']],
  ])('when given %s, it exits 2 and asks nothing', async (_, words) => {
    expect((await pawl({}, 'effects', ...words)).exitCode).toBe(2);
    expect(engine!.calls).toEqual([]);
  });
});

// Which mistake would this catch? A file that is changed or cut on its way and passes for whole, or lands where it should not.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Artifact } from '../../src/api-types.ts';
import { type FakeEngine, type Handlers, problem, startFakeEngine } from '../support/fake-engine.ts';
import { type Ran, runPawl, type Surroundings } from '../support/run-pawl.ts';
import { at, RUN_ID } from '../support/samples.ts';

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

async function pawl(handlers: Handlers, words: string[], around: Surroundings = {}): Promise<Ran> {
  engine = await startFakeEngine(handlers);
  return runPawl(words, { cwd: folder, env: { PAWL_URL: engine.url }, ...around });
}

const ID = '0197f0a0-0000-7000-8000-00000000000a';
const content = randomBytes(700_000);
const anArtifact = (changes: Partial<Artifact> = {}): Artifact => ({
  id: ID,
  artifactId: ID,
  name: 'report.bin',
  version: 2,
  mediaType: 'application/octet-stream',
  bytes: content.length,
  hash: createHash('sha256').update(content).digest('hex'),
  createdAt: at(60),
  ...changes,
});
const offering = (artifact: Artifact, bytes = content): Handlers => ({
  getArtifact: () => ({ body: artifact }),
  downloadArtifact: () => ({ bytes: { content: bytes, headers: { 'content-type': artifact.mediaType } } }),
});

describe('pawl artifact list', () => {
  const made = anArtifact({ runId: RUN_ID, flow: 'greet', path: 'write' });

  test('when nothing is named, all of the workspace are asked for and shown with their makers', async () => {
    const items = [made, anArtifact({ by: 'key:ada', name: 'prices.csv', bytes: 1_500 })];
    const ran = await pawl({ findArtifacts: () => ({ body: { items } }) }, [
      'artifact',
      'list',
      '--name',
      '*.bin',
    ]);
    expect(ran.exitCode).toBe(0);
    expect(ran.out).toContain(`700 kB  1 min ago  greet ${RUN_ID} write`);
    expect(ran.out).toContain('1.5 kB  1 min ago  key:ada');
    expect(engine!.calls[0]!.query).toEqual({ name: '*.bin', limit: '50' });
  });

  test('when a run is named, its own are asked for, page by page', async () => {
    const listArtifacts: Handlers['listArtifacts'] = ({ query }) => ({
      body: query.cursor === undefined ? { items: [made], nextCursor: 'next' } : { items: [made] },
    });
    const ran = await pawl({ listArtifacts }, [
      'artifact',
      'list',
      '--run',
      RUN_ID,
      '--media-type',
      'image/*',
      '--json',
    ]);
    expect(JSON.parse(ran.out)).toEqual([made, made]);
    expect(engine!.calls.map(({ query }) => query.mediaType)).toEqual(['image/*', 'image/*']);
  });

  test('when a run and a flow are named, it is a mistake', async () => {
    expect((await pawl({}, ['artifact', 'list', '--run', RUN_ID, '--flow', 'greet'])).exitCode).toBe(2);
  });
});

describe('pawl artifact get', () => {
  test('when a file is named, it is written whole; a folder gets a file of the last part of the name', async () => {
    const ran = await pawl(offering(anArtifact()), ['artifact', 'get', ID, '-o', 'out.bin']);
    expect(ran).toMatchObject({ exitCode: 0, out: '' });
    expect((await readFile(join(folder, 'out.bin'))).equals(content)).toBe(true);
    await engine!.close();
    await pawl(offering(anArtifact({ name: '../../etc/pass:wd' })), ['artifact', 'get', ID, '-o', '.']);
    expect((await readdir(folder)).sort()).toEqual(['out.bin', 'pass_wd']);
  });

  test('when no file is named, the bytes go to standard output, unless that is a terminal that cannot show them', async () => {
    const ran = await pawl(offering(anArtifact()), ['artifact', 'get', ID]);
    expect(Buffer.from(ran.out, 'latin1').equals(content)).toBe(true);
    await engine!.close();
    const shown = await pawl(offering(anArtifact()), ['artifact', 'get', ID], { isTerminal: true });
    expect(shown).toMatchObject({ exitCode: 2, out: '' });
    expect(shown.err).toContain('--output');
  });

  test.each([
    ['cut', content.subarray(0, 600_000), '600000 of 700000 bytes'],
    ['changed', Buffer.concat([content.subarray(1), content.subarray(0, 1)]), 'its hash differs'],
  ])('when what comes is %s, nothing is kept and the command fails', async (_, bytes, how) => {
    const ran = await pawl(offering(anArtifact(), bytes), ['artifact', 'get', ID, '-o', 'out.bin']);
    expect(ran.exitCode).toBe(1);
    expect(ran.err).toContain(how);
    expect(await readdir(folder)).toEqual([]);
  });

  test('when JSON is asked for, the artifact is told about; an unknown one exits 4, an impossible id 2', async () => {
    const told = await pawl(offering(anArtifact()), ['artifact', 'get', ID, '--json']);
    expect(JSON.parse(told.out)).toEqual(anArtifact());
    await engine!.close();
    const unknown = { getArtifact: () => problem('artifact_not_found', 'There is none.') };
    expect((await pawl(unknown, ['artifact', 'get', ID])).exitCode).toBe(4);
    await engine!.close();
    expect((await pawl({}, ['artifact', 'get', 'report'])).exitCode).toBe(2);
  });
});

describe('pawl artifact put', () => {
  const uploadArtifact: Handlers['uploadArtifact'] = ({ query, headers, body }) => ({
    status: 201,
    body: anArtifact({
      name: String(query.name),
      mediaType: headers['content-type']!,
      bytes: (body as Buffer).length,
      hash: createHash('sha256')
        .update(body as Buffer)
        .digest('hex'),
    }),
  });

  test('when a file is put, its bytes are sent under its name with a type by its ending', async () => {
    await writeFile(join(folder, 'prices.CSV'), content);
    const ran = await pawl({ uploadArtifact }, ['artifact', 'put', 'prices.CSV', '--json']);
    expect(JSON.parse(ran.out)).toEqual(anArtifact({ name: 'prices.CSV', mediaType: 'text/csv' }));
  });

  test('when standard input is put, it needs a name; name and type may be given', async () => {
    expect((await pawl({}, ['artifact', 'put', '-'], { stdin: 'x' })).exitCode).toBe(2);
    await engine!.close();
    const words = ['artifact', 'put', '-', '--name', 'a.txt', '--media-type', 'text/plain; charset=utf-8'];
    const ran = await pawl({ uploadArtifact }, words, { stdin: 'größe' });
    expect(ran).toMatchObject({ exitCode: 0, out: `${ID}\n` });
    expect(ran.err).toBe('a.txt, version 2, 7 B, text/plain; charset=utf-8\n');
  });

  test.each(['no-such-file', '.'])('when %s is put, it is named and the command exits 2', async (file) => {
    const ran = await pawl({}, ['artifact', 'put', file]);
    expect(ran.exitCode).toBe(2);
    expect(ran.err).toContain(file);
    expect(engine!.calls).toEqual([]);
  });
});

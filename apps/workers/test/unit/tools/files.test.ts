// Which mistake would this catch? A path that leads out of the allowed folder, or a file that is seen half written.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, Tool } from '@pawl/tool-sdk';
import { assertToolContract, createTestContext, testTool } from '@pawl/tool-sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtinTools, filesTools } from '../../../src/tools/index.ts';

let base: string;
let root: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'files-')));
  root = join(base, 'allowed');
  await mkdir(join(root, 'sub', 'deep'), { recursive: true });
  await writeFile(join(base, 'secret.txt'), 'secret');
  await writeFile(join(root, 'a.txt'), 'héllo');
  await writeFile(join(root, 'b.MD'), '# b');
  await writeFile(join(root, '.hidden.txt'), 'h');
  await writeFile(join(root, 'sub', 'c.txt'), 'c');
  await symlink(join(base, 'secret.txt'), join(root, 'out.txt'));
  await symlink(base, join(root, 'outdir'));
  await symlink(join(base, 'absent'), join(root, 'dangling'));
  await symlink('a.txt', join(root, 'in.txt'));
});
afterEach(() => rm(base, { recursive: true }));

const named = (name: string, tools = builtinTools({ filesRoot: root })): Tool =>
  tools.find((tool) => tool.name === name)!;
const call = async (name: string, args: Json, tools?: Tool[]) =>
  (await testTool(named(name, tools), { args })).output as Record<string, Json>;

const ESCAPES = [
  '../secret.txt',
  'sub/../../secret.txt',
  'out.txt',
  'outdir/secret.txt',
  '/etc/passwd',
  'a\0.txt',
  '..',
];

describe('files.read', () => {
  it('when the file is text, it comes with its size in bytes', async () => {
    expect(await call('files.read', { path: 'a.txt' })).toEqual({
      path: 'a.txt',
      encoding: 'utf8',
      bytes: 6,
      text: 'héllo',
    });
    expect(await call('files.read', { path: './sub/../in.txt' })).toMatchObject({ path: 'a.txt' });
    expect(await call('files.read', { path: join(root, 'sub', 'c.txt') })).toMatchObject({
      path: 'sub/c.txt',
    });
  });

  it('when it is not text, base64 works and utf8 says so', async () => {
    await writeFile(join(root, 'x.bin'), Buffer.from([0xff, 0, 1]));
    expect(await call('files.read', { path: 'x.bin', encoding: 'base64' })).toMatchObject({
      bytes: 3,
      text: '/wAB',
    });
    await expect(call('files.read', { path: 'x.bin' })).rejects.toMatchObject({ code: 'file_not_text' });
  });

  it('when it begins with a byte order mark, the text does not', async () => {
    await writeFile(join(root, 'bom.json'), '\ufeff{}');
    expect(await call('files.read', { path: 'bom.json' })).toMatchObject({ text: '{}', bytes: 5 });
  });

  it.each(ESCAPES)('when the path is %j, it is refused without touching what is outside', async (path) => {
    await expect(call('files.read', { path })).rejects.toMatchObject({ code: 'path_outside' });
  });

  it.each([
    ['nowhere.txt', 'file_missing'],
    ['a.txt/b', 'file_missing'],
    ['dangling', 'file_missing'],
    ['sub', 'not_a_file'],
    ['x'.repeat(300), 'path_too_long'],
  ])(
    'when the path is %s, the failure is permanent and shows no folder of this machine',
    async (path, code) => {
      const error = await call('files.read', { path }).catch((problem: unknown) => problem);
      expect(error).toMatchObject({ code, kind: 'permanent' });
      expect((error as Error).message).not.toContain(base);
    },
  );

  it('when it is a pipe, it is refused instead of waited for', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await expect(call('files.read', { path: 'pipe' })).rejects.toMatchObject({ code: 'not_a_file' });
  });

  it('when it is larger than the limit, both numbers are named', async () => {
    const tools = filesTools({ root, maxBytes: 5 });
    await expect(call('files.read', { path: 'a.txt' }, tools)).rejects.toThrow('has 6 bytes; at most 5');
  });

  it('when the root does not exist, the configuration is named', async () => {
    await expect(
      call('files.read', { path: 'a' }, filesTools({ root: join(base, 'none') })),
    ).rejects.toMatchObject({
      code: 'folder_missing',
    });
  });
});

describe('files.list', () => {
  const paths = async (args: Json): Promise<unknown> =>
    ((await call('files.list', args)).files as { path: string }[]).map((file) => file.path);

  it('when it lists, paths are sorted, usable by files.read, without hidden files and ways out', async () => {
    expect(await call('files.list', {})).toEqual({
      files: [
        { path: 'a.txt', name: 'a.txt', bytes: 6 },
        { path: 'b.MD', name: 'b.MD', bytes: 3 },
        { path: 'in.txt', name: 'in.txt', bytes: 6 },
      ],
    });
  });

  it('when filters are given, they hold; links to folders are not followed', async () => {
    expect(await paths({ extensions: ['md'] })).toEqual(['b.MD']);
    expect(await paths({ extensions: ['.txt'], recursive: true })).toEqual(['a.txt', 'in.txt', 'sub/c.txt']);
    expect(await paths({ folder: 'sub' })).toEqual(['sub/c.txt']);
    expect(await paths({ nameContains: 'in' })).toEqual(['in.txt']);
    expect(await paths({ folder: 'sub/deep' })).toEqual([]);
  });

  it('when the folder is outside or missing, it is refused', async () => {
    await expect(paths({ folder: 'outdir' })).rejects.toMatchObject({ code: 'path_outside' });
    await expect(paths({ folder: '../' })).rejects.toMatchObject({ code: 'path_outside' });
    await expect(paths({ folder: 'none' })).rejects.toMatchObject({ code: 'file_missing' });
    await expect(paths({ folder: 'a.txt' })).rejects.toMatchObject({ code: 'file_missing' });
  });
});

describe('files.write', () => {
  it('when folders are missing they are made, and the content is there', async () => {
    expect(await call('files.write', { path: 'new/er/r.md', text: 'é' })).toEqual({
      path: 'new/er/r.md',
      bytes: 2,
      hash: '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
    });
    expect(await readFile(join(root, 'new', 'er', 'r.md'), 'utf8')).toBe('é');
  });

  it('when it is called twice, the file is replaced, the output is the same and no draft stays', async () => {
    const args = { path: 'a.txt', text: 'AAEC', encoding: 'base64' };
    expect(await call('files.write', args)).toEqual(await call('files.write', args));
    expect(await readFile(join(root, 'a.txt'))).toEqual(Buffer.from([0, 1, 2]));
    expect((await readdir(root)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each([...ESCAPES, 'dangling', 'dangling/x', 'in.txt', '.', 'sub/'])(
    'when the path is %j, nothing is written',
    async (path) => {
      await expect(call('files.write', { path, text: 'x' })).rejects.toMatchObject({ code: 'path_outside' });
      expect(await readFile(join(base, 'secret.txt'), 'utf8')).toBe('secret');
      expect((await readdir(base)).sort()).toEqual(['allowed', 'secret.txt']);
      expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('héllo');
    },
  );

  it('when a folder is in the way, the failure says so and no draft stays', async () => {
    await expect(call('files.write', { path: 'sub', text: 'x' })).rejects.toMatchObject({
      code: 'not_a_file',
    });
    await expect(call('files.write', { path: 'a.txt/x', text: 'x' })).rejects.toMatchObject({
      kind: 'permanent',
    });
    expect((await readdir(root)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('when readers look while it is written, they see the old or the new content only', async () => {
    const [old, fresh] = ['o'.repeat(300_000), 'n'.repeat(300_000)];
    await call('files.write', { path: 'big.txt', text: old });
    const writing = call('files.write', { path: 'big.txt', text: fresh });
    let isDone = false;
    void writing.finally(() => {
      isDone = true;
    });
    const seen = new Set<string>();
    while (!isDone) seen.add(await readFile(join(root, 'big.txt'), 'utf8'));
    await writing;
    seen.add(await readFile(join(root, 'big.txt'), 'utf8'));
    for (const text of seen) expect(text === old || text === fresh).toBe(true);
    expect(seen.has(fresh)).toBe(true);
  });

  it('when text cannot be UTF-8 or base64, or is too large, it is refused', async () => {
    await expect(call('files.write', { path: 'x', text: 'a\ud800' })).rejects.toMatchObject({
      code: 'content_invalid',
    });
    await expect(call('files.write', { path: 'x', text: 'a*', encoding: 'base64' })).rejects.toMatchObject({
      code: 'content_invalid',
    });
    const tools = filesTools({ root, maxBytes: 1 });
    await expect(call('files.write', { path: 'x', text: 'ab' }, tools)).rejects.toMatchObject({
      code: 'file_too_large',
    });
  });

  it('when another folder is given for writing, reading and writing are apart', async () => {
    const out = join(base, 'out', 'put');
    const tools = builtinTools({ filesRoot: root, writeRoot: out });
    await call('files.write', { path: 'r.txt', text: 'x' }, tools);
    expect(await readFile(join(out, 'r.txt'), 'utf8')).toBe('x');
    await expect(call('files.read', { path: 'r.txt' }, tools)).rejects.toMatchObject({
      code: 'file_missing',
    });
  });
});

describe('all built-in tools', () => {
  it.each<[string, Json, Json]>([
    ['files.read', { path: 'a.txt' }, {}],
    ['files.list', {}, { folder: 1 }],
    ['files.write', { path: 'w.txt', text: 'x' }, { path: '', text: '' }],
    ['text.split', { text: 'One. Two.', maxCharacters: 5 }, { text: 'x', maxCharacters: 0 }],
    [
      'artifact.write',
      { name: 'r.md', mediaType: 'text/markdown', content: '# r' },
      { name: 'r', mediaType: 'md', content: '' },
    ],
  ])('%s keeps its contract', async (name, args, bad) => {
    await assertToolContract(named(name), {
      args,
      invalidArgs: [bad, { ...(args as object), unknown: 1 } as Json],
    });
  });

  it('text.split returns what it cut', async () => {
    expect(await call('text.split', { text: 'One. Two.', maxCharacters: 5 })).toEqual({
      count: 2,
      chunks: [
        { index: 0, start: 0, end: 5, text: 'One. ' },
        { index: 1, start: 5, end: 9, text: 'Two.' },
      ],
    });
    await expect(call('text.split', { text: 'x', maxCharacters: 10, overlap: 6 })).rejects.toThrow(
      'more than half',
    );
    await expect(call('text.split', { text: 'x', maxCharacters: 10, maxTokens: 6 })).rejects.toThrow(
      'not both',
    );
  });

  it('artifact.read gives what was written, and says what it cannot read', async () => {
    const tool = named('artifact.read');
    const { ctx } = createTestContext();
    const put = (data: Uint8Array | string) =>
      ctx.artifacts.put({ name: 'r', mediaType: 'text/plain', data });
    const read = async (data: Uint8Array | string, more: object = {}) =>
      tool.execute(ctx, { artifact: await put(data), encoding: 'utf8', charset: 'utf-8', ...more } as never);
    expect(await read('größe')).toEqual({ encoding: 'utf8', bytes: 7, text: 'größe' });
    expect(await read(Buffer.from([0xff, 0]), { encoding: 'base64' })).toMatchObject({ text: '/wA=' });
    expect(await read(Buffer.from([0xd6, 0xd0]), { charset: 'gbk' })).toMatchObject({ text: '中' });
    await expect(read(Buffer.from([0xff]))).rejects.toMatchObject({ code: 'not_text' });
    await expect(read(Buffer.alloc(16 * 1024 * 1024 + 1))).rejects.toMatchObject({
      code: 'artifact_too_large',
    });
    const unknown = { artifact: { artifactId: 'never' }, encoding: 'utf8', charset: 'utf-8' };
    await expect(tool.execute(ctx, unknown as never)).rejects.toMatchObject({ code: 'artifact_not_found' });
  });

  it('artifact.write hands bytes to the store and returns the reference', async () => {
    const { output, seen } = await testTool(named('artifact.write'), {
      args: { name: 'r.bin', mediaType: 'application/octet-stream', content: '/wA=', encoding: 'base64' },
    });
    expect(Buffer.from(seen.artifacts[0]!.data)).toEqual(Buffer.from([0xff, 0]));
    expect(output).toEqual(seen.artifacts[0]!.ref);
  });
});

// Which mistake would this catch? A misspelt module that a worker ignores, or one of two equal tools silently winning.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTools } from '../src/index.ts';

// As URLs, so that the check for unused files sees that they are used.
const toolsUrl = new URL('./fixtures/tools.ts', import.meta.url);
const duplicateUrl = new URL('./fixtures/duplicate.ts', import.meta.url);
const fixtures = fileURLToPath(new URL('.', toolsUrl));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tools-'));
  const tool = `Object.defineProperty({ ref: 'pack.one@1' }, Symbol.for('pawl.tool'), { value: 1 })`;
  const root = join(folder, 'node_modules', '@acme', 'tools');
  await mkdir(root, { recursive: true });
  await writeFile(
    join(root, 'package.json'),
    JSON.stringify({
      name: '@acme/tools',
      type: 'module',
      exports: { '.': { import: './main.js' }, './more': './main.js' },
    }),
  );
  await writeFile(join(root, 'main.js'), `export default ${tool};`);
  await writeFile(join(folder, 'empty.mjs'), 'export const answer = 42;');
  await writeFile(join(folder, 'broken.mjs'), `throw new Error('no configuration');`);
  await writeFile(join(folder, 'lacking.mjs'), `import 'not-installed-anywhere';`);
});
afterAll(() => rm(folder, { recursive: true }));

const refs = async (specifier: string, from = fixtures): Promise<string[]> =>
  (await loadTools(specifier, { from })).map((tool) => tool.ref);

describe('loadTools', () => {
  it('when a module exports tools in several ways, each is found once, sorted', async () => {
    expect(await refs('./tools.ts')).toEqual(['a.default@1', 'a.named@1', 'a.named@2', 'b.listed@1']);
  });

  it('when an absolute path, a file URL or a package is named, it is found', async () => {
    expect(await refs(join(fixtures, 'tools.ts'), folder)).toContain('a.default@1');
    expect(await refs(toolsUrl.href, folder)).toContain('a.default@1');
    expect(await refs('@acme/tools', folder)).toEqual(['pack.one@1']);
    expect(await refs('@acme/tools/more', folder)).toEqual(['pack.one@1']);
  });

  it('when the file or package is missing, the error says what to do', async () => {
    await expect(refs('./nowhere.ts')).rejects.toMatchObject({
      code: 'tool_module_missing',
      message: expect.stringMatching(/\.\/nowhere\.ts does not exist/),
    });
    await expect(refs('@acme/none', folder)).rejects.toMatchObject({
      code: 'tool_module_missing',
      message: expect.stringMatching(/npm install @acme\/none/),
    });
  });

  it('when the module itself fails, its own error is kept', async () => {
    await expect(refs('./broken.mjs', folder)).rejects.toMatchObject({
      code: 'tool_module_failed',
      message: expect.stringContaining('no configuration'),
    });
    await expect(refs('./lacking.mjs', folder)).rejects.toMatchObject({ code: 'tool_module_failed' });
  });

  it('when it exports no tool, the error lists what it exports', async () => {
    await expect(refs('./empty.mjs', folder)).rejects.toMatchObject({
      code: 'tool_module_empty',
      message: expect.stringContaining('it exports answer'),
    });
  });

  it('when two tools have the same reference, both places are named', async () => {
    await expect(refs(duplicateUrl.href)).rejects.toMatchObject({
      code: 'tool_duplicate',
      message: expect.stringMatching(/a\.same@1.*export first.*export second/),
    });
  });
});

// Would catch: a process that runs what its sources were, one that does not start because of what lies in the cache, and a stack
// trace that points into a bundle.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundleOf } from '../../scripts/bundle.js';

const REPOSITORY = join(import.meta.dirname, '../..');
const RUN = join(REPOSITORY, 'scripts/run.js');

let folder: string;
let cache: string;
let main: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-test-bundle-'));
  cache = join(folder, 'cache');
  main = write('main.ts', "import { word } from './word.ts';\nconsole.log(word as string);\n");
  write('word.ts', "export const word = 'old';\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, source: string): string => {
  writeFileSync(join(folder, name), source);
  return join(folder, name);
};
const listIn = (place: string): string =>
  join(place, readdirSync(place).find((name) => name.endsWith('.json'))!);
const printed = (bundle: string): string =>
  execFileSync(process.execPath, [bundle], { encoding: 'utf8' }).trim();

test('when a source has other content, its length and its time being the same, the old bundle is not found', async () => {
  const word = join(folder, 'word.ts');
  const { atime, mtime } = statSync(word);
  expect(printed(await bundleOf(main, { cache }))).toBe('old');
  write('word.ts', "export const word = 'new';\n");
  utimesSync(word, atime, mtime);
  expect(printed(await bundleOf(main, { cache }))).toBe('new');
});

test('a file that was left alone for long is known by its stamp, which changes with its content', async () => {
  const bundle = await bundleOf(main, { cache, settledMs: 0 });
  const list = JSON.parse(readFileSync(listIn(cache), 'utf8')) as { files: [string, string | null][] };
  expect(list.files.filter(([, stamp]) => stamp === null)).toEqual([]);
  expect(await bundleOf(main, { cache, settledMs: 0 })).toBe(bundle);
  const word = join(folder, 'word.ts');
  const { atime, mtime } = statSync(word);
  write('word.ts', "export const word = 'new';\n");
  utimesSync(word, atime, mtime);
  expect(printed(await bundleOf(main, { cache, settledMs: 0 }))).toBe('new');
});

test('a file that was just written is known by its content: it may be written again within a tick of the clock', async () => {
  await bundleOf(main, { cache, settledMs: 3_600_000 });
  const { files } = JSON.parse(readFileSync(listIn(cache), 'utf8')) as { files: [string, string | null][] };
  expect(files.find(([file]) => file === join(folder, 'word.ts'))).toEqual([join(folder, 'word.ts'), null]);
});

test.each([
  'apps/cli/src/main.ts',
  'apps/engine/src/main.ts',
  'apps/engine/src/doctor-main.ts',
  'apps/workers/src/main.ts',
])('%s is bundled into a script, which starts faster', async (path) => {
  const script = await bundleOf(join(REPOSITORY, path), { asScript: true, cache });
  expect(script).toMatch(/\.js$/);
  expect(() => new Script(readFileSync(script, 'latin1'))).not.toThrow();
});

test.each(['test/bench/main.ts', 'test/soak/main.ts', 'examples/checkout/services.ts'])(
  '%s is bundled into a module that can be read',
  async (path) => {
    const bundle = await bundleOf(join(REPOSITORY, path), { cache });
    expect(spawnSync(process.execPath, ['--check', bundle], { encoding: 'utf8' }).stderr).toBe('');
  },
);

test('what waits at its top level cannot be a script and becomes a module', async () => {
  write('main.ts', "import { word } from './word.ts';\nawait 0;\nconsole.log(word);\n");
  const bundle = await bundleOf(main, { asScript: true, cache });
  expect(bundle).toMatch(/\.mjs$/);
  expect(printed(bundle)).toBe('old');
});

describe('a script that is started again', () => {
  const runAgain = `
    const { runScript } = await import(${JSON.stringify(join(REPOSITORY, 'scripts/run-script.js'))});
    await runScript(process.argv[1]);`;
  const started = (script: string): string =>
    execFileSync(process.execPath, ['--input-type=module', '-e', runAgain, script], {
      encoding: 'utf8',
    }).trim();
  const compiledIn = (): string[] => readdirSync(cache).filter((name) => name.endsWith('.compiled'));
  let script: string;
  beforeEach(async () => {
    write(
      'main.ts',
      "import { word } from './word.ts';\nexport const main = async () => console.log(/^[。…]$/.test('…') && word);\n",
    );
    script = await bundleOf(main, { asScript: true, cache });
  });

  test('imports modules whose place it computes, and packages that are no part of it', async () => {
    write('other.mjs', "export const word = await Promise.resolve('imported');");
    write(
      'main.ts',
      `export async function main(): Promise<void> {
        const { word } = await import(new URL('other.mjs', import.meta.url).href);
        const { hash } = await import('@node-rs/argon2');
        console.log(word, typeof hash);
      }`,
    );
    // Beside the packages of this repository, where every script of ours lies.
    const place = join(REPOSITORY, 'node_modules/.cache', `pawl-test-${randomUUID()}`);
    try {
      const importing = await bundleOf(main, { asScript: true, cache: place });
      expect([started(importing), started(importing)]).toEqual(['imported function', 'imported function']);
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  test('finds what was compiled of it', () => {
    expect(started(script)).toBe('old');
    const [compiled] = compiledIn();
    const { ino } = statSync(join(cache, compiled!));
    expect(started(script)).toBe('old');
    expect(statSync(join(cache, compiled!)).ino).toBe(ino);
  });

  test('is compiled anew when that is in pieces', () => {
    started(script);
    const compiled = join(cache, compiledIn()[0]!);
    writeFileSync(compiled, 'in pieces');
    expect(started(script)).toBe('old');
    expect(statSync(compiled).size).toBeGreaterThan(100);
    expect(started(script)).toBe('old');
  });

  test('does not take turns with a start that has other options of V8', () => {
    started(script);
    execFileSync(process.execPath, ['--stack-size=900', '--input-type=module', '-e', runAgain, script]);
    expect(compiledIn()).toHaveLength(2);
  });
});

test('when nothing changed, the bundle that is there is used as it is', async () => {
  const bundle = await bundleOf(main, { cache });
  writeFileSync(bundle, "console.log('the one that was there')");
  expect(await bundleOf(main, { cache })).toBe(bundle);
  expect(printed(bundle)).toBe('the one that was there');
});

test('when a source that was read is gone, and no longer imported, the bundle is made of what is left', async () => {
  await bundleOf(main, { cache });
  rmSync(join(folder, 'word.ts'));
  write('main.ts', "console.log('alone');\n");
  expect(printed(await bundleOf(main, { cache }))).toBe('alone');
});

test('when the list of sources is in pieces, the bundle is made anew', async () => {
  const bundle = await bundleOf(main, { cache });
  writeFileSync(listIn(cache), '{"files": [["/half');
  expect(await bundleOf(main, { cache })).toBe(bundle);
  expect(printed(bundle)).toBe('old');
});

test('when the cache cannot be written to, the process starts all the same and leaves nothing behind', () => {
  writeFileSync(cache, 'a file where the folder should be');
  const bundler = JSON.stringify(join(import.meta.dirname, '../../scripts/bundle.js'));
  const script = `const { bundleOf } = await import(${bundler}); const path = await bundleOf(${JSON.stringify(main)}, ${JSON.stringify({ cache })}); await import(path);`;
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary },
  });
  expect(said.trim()).toBe('old');
  expect(readdirSync(temporary)).toEqual([]);
});

test('when several make it at once, all get the same and no draft is left', async () => {
  const bundles = await Promise.all(Array.from({ length: 4 }, () => bundleOf(main, { cache })));
  expect(new Set(bundles).size).toBe(1);
  expect(readdirSync(cache)).toHaveLength(2);
});

/** As many bundles as words, each as if made so many hours ago. */
async function change(words: readonly string[], hoursAgo: number): Promise<string[]> {
  const bundles = [];
  for (const word of words) {
    write('word.ts', `export const word = '${word}';\n`);
    const bundle = await bundleOf(main, { cache });
    expect(printed(bundle)).toBe(word);
    const then = Date.now() / 1_000 - hoursAgo * 3_600;
    utimesSync(bundle, then, then);
    bundles.push(bundle);
  }
  return bundles;
}

test('when sources change often, only the newest of what is old is kept', async () => {
  await change(['one', 'two', 'three', 'four', 'five'], 2);
  expect(readdirSync(cache).filter((name) => name.endsWith('.mjs'))).toHaveLength(3);
});

test('what is young is left alone: another process may be about to load it, or still be writing it', async () => {
  const [first] = await change(['one'], 0.5);
  const drafts = Array.from({ length: 5 }, (_, index) => `${first}.${index}`);
  for (const draft of drafts) writeFileSync(draft, '');
  await change(['two'], 0);
  expect([first!, ...drafts].filter((path) => !existsSync(path))).toEqual([]);
});

test('an error of a script points at the sources, also when it is caught long after', async () => {
  const where = write(
    'main.ts',
    [
      'interface Gone { readonly lines: number }',
      'const fail = async (gone: Gone): Promise<void> => {',
      '  await Promise.resolve(gone);',
      "  throw new TypeError('here');",
      '};',
      'export const main = () => fail({ lines: 2 }).catch((error: Error) => console.log(error.stack));',
    ].join('\n'),
  );
  const { stdout } = spawnSync(process.execPath, [RUN, where], { encoding: 'utf8' });
  expect(stdout.split('\n').slice(0, 2)).toEqual(['TypeError: here', `    at fail (${where}:4:9)`]);
});

test('a file that asks where it is gets the place of its source, and the stack of an error points there', async () => {
  const where = write(
    'main.ts',
    [
      'interface Gone { readonly lines: number }',
      'const gone: Gone = { lines: 2 };',
      'console.log(import.meta.url, import.meta.dirname, process.argv.slice(1).join());',
      "if (gone) throw new Error('here');",
    ].join('\n'),
  );
  const { stdout, stderr } = spawnSync(process.execPath, [RUN, where, 'word'], { encoding: 'utf8' });
  expect(stdout.trim()).toBe(`file://${where} ${folder} ${where},word`);
  expect(stderr).toContain(`${where}:4:17`);
});

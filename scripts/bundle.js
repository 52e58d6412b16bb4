// One file of all that a TypeScript main imports; it starts in a fifth of the time that some 1,400 files take.
// Its name is the hash of all it was made of, contents included: sources that changed cannot find what they were.
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = fileURLToPath(import.meta.url);
const root = dirname(dirname(here));

/** Bundles of one main that are left at least, however old. */
const KEPT = 3;
/** What is younger is left alone: another process may be about to load it, or to give a draft its name. In milliseconds. */
const YOUNG_MS = 3_600_000;

/** Named in packages that we use and never asked for: drivers of other databases. */
const ABSENT = [
  'better-sqlite3',
  'libsql',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
];

// Written so that it stays as it is when this file itself is bundled.
const BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta['url']);";

/**
 * Finds the bundle of a main, or makes it.
 *
 * @param main   absolute path of a TypeScript file of this repository
 * @param cache  folder to look in and to write to; what is broken or missing there is made anew
 * @returns absolute path of a module that does what `main` does
 */
export async function bundleOf(main, cache = join(root, 'node_modules', '.cache', 'pawl')) {
  return find(main, cache) ?? keep(main, cache, await build(main, cache));
}

function find(main, cache) {
  try {
    const files = JSON.parse(readFileSync(join(cache, `${stemOf(main)}.json`), 'utf8'));
    const path = bundlePath(
      main,
      cache,
      hashOf([...files, ...deciding()], (file) => readFileSync(file)),
    );
    return existsSync(path) ? path : undefined;
  } catch {
    // No list of files yet, or one in pieces, or one with a file that is gone.
    return undefined;
  }
}

async function build(main, cache) {
  const read = new Map();
  const { build: bundle } = await import('esbuild');
  const { outputFiles } = await bundle({
    entryPoints: [main],
    bundle: true,
    write: false,
    outfile: bundlePath(main, cache, 'bundle'),
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'inline',
    sourcesContent: false,
    // tsx starts a thread, and esbuild and playwright a process, from files of their own; argon2 and a browser are no JavaScript.
    external: [...ABSENT, 'tsx', 'esbuild', '@node-rs/argon2', 'playwright-core', '@sparticuz/chromium'],
    banner: { js: BANNER },
    logLevel: 'silent',
    plugins: [{ name: 'sources', setup: (setup) => readSources(setup, read) }],
  });
  const files = [...read.keys()].sort();
  const hash = hashOf([...files, ...deciding()], (file) => read.get(file) ?? readFileSync(file));
  return { code: outputFiles[0].contents, files, hash };
}

/** Hands every file to esbuild, so that the hash is of what was built, whatever is written meanwhile. */
function readSources(setup, read) {
  setup.onLoad({ filter: /.*/, namespace: 'file' }, ({ path }) => {
    const source = readFileSync(path);
    read.set(path, source);
    const loader = { '.ts': 'ts', '.json': 'json' }[extname(path)] ?? 'js';
    return { contents: loader === 'json' ? source : placed(source.toString(), path), loader };
  });
}

/** A file that asks where it is gets told where it was; stack traces need not say where in a package. */
function placed(source, path) {
  const isOurs = !path.includes('node_modules');
  const told = source
    .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
    .replace(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path)));
  if (isOurs) return told;
  const place = /\b__(dirname|filename)\b/.test(source)
    ? `var __filename = ${JSON.stringify(path)}, __dirname = ${JSON.stringify(dirname(path))};`
    : '';
  return `${place}${told}\n//# sourceMappingURL=data:application/json;base64,${NO_MAPPINGS}`;
}

const NO_MAPPINGS = Buffer.from('{"version":3,"sources":[""],"names":[],"mappings":"AAAA"}').toString(
  'base64',
);

/** Leaves it for later starts; tells where it is now. */
function keep(main, cache, { code, files, hash }) {
  try {
    mkdirSync(cache, { recursive: true });
    const path = bundlePath(main, cache, hash);
    replace(path, code);
    replace(join(cache, `${stemOf(main)}.json`), JSON.stringify(files));
    forgetOld(main, cache);
    return path;
  } catch {
    // A folder that cannot be written to costs a build at each start, and no start.
    const folder = mkdtempSync(join(tmpdir(), 'pawl-bundle-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const path = join(folder, 'main.mjs');
    writeFileSync(path, code);
    return path;
  }
}

/** Under another name first, and on the disk: a reader finds a whole file or none. */
function replace(path, content) {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, content, { flush: true });
  renameSync(draft, path);
}

function forgetOld(main, cache) {
  const writtenAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const all = readdirSync(cache)
    .filter((name) => name.startsWith(`${stemOf(main)}.`) && !name.endsWith('.json'))
    .map((name) => join(cache, name));
  for (const path of all.sort((a, b) => writtenAt(b) - writtenAt(a)).slice(KEPT))
    if (Date.now() - writtenAt(path) > YOUNG_MS) rmSync(path, { force: true });
}

const stemOf = (main) => relative(root, main).replace(/[^\w]+/g, '-');
const bundlePath = (main, cache, hash) => join(cache, `${stemOf(main)}.${hash}.mjs`);

/** Files that decide how an import is resolved and what is made of it. */
const deciding = () => [
  here,
  join(root, 'package-lock.json'),
  ...['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'package.json')),
  ),
];

function hashOf(files, contentOf) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = contentOf(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

// One file of all that a TypeScript file imports; it starts in a fifth of the time that some 1,400 files take.
// Its name is the hash of all it was made of, contents included: sources that changed cannot find what they were.
// Contents are read again only when the file system says that a file was touched since.
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
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = fileURLToPath(import.meta.url);
const root = dirname(dirname(here));

/** Bundles of one main that are left at least, however old. */
const KEPT = 3;
/** What is younger is left alone: another process may be about to load it, or to give a draft its name. In milliseconds. */
const YOUNG_MS = 3_600_000;

/** A file that was touched so shortly before it was read may be written again within the same tick of its clock. In milliseconds. */
const SETTLED_MS = 1_000;

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

/** tsx starts a thread, and esbuild and playwright a process, from files of their own; argon2 and a browser are no JavaScript. */
const APART = ['tsx', 'esbuild', '@node-rs/argon2', 'playwright-core', '@sparticuz/chromium'];

// Written so that it stays as it is when this file itself is bundled.
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta['url']);";

const MODULE = { extension: 'mjs', format: 'esm', sourcemap: 'inline', banner: { js: REQUIRE } };
// What V8 compiled of a script forgets who answers its `import()`: packages call `require` instead, and our sources `__importModule`.
const SCRIPT = {
  extension: 'js',
  format: 'cjs',
  sourcemap: 'external',
  supported: { 'dynamic-import': false },
  banner: { js: '(function (exports, require, module, __importModule) {' },
  footer: { js: '})' },
};

/**
 * Finds the bundle of a TypeScript file, or makes it.
 *
 * @param main  absolute path
 * @param options.asScript   for `runScript`, which starts it faster; what waits at its top level becomes a module all the same
 * @param options.cache      folder to look in and to write to; what is broken or missing there is made anew
 * @param options.settledMs  how long a file must have been left alone before its time says that it is the same
 * @returns absolute path: `.mjs`, a module that exports what `main` exports, or `.js`, a script, its source map in `.js.map`
 */
export async function bundleOf(main, options = {}) {
  const {
    asScript = false,
    cache = join(root, 'node_modules', '.cache', 'pawl'),
    settledMs = SETTLED_MS,
  } = options;
  const place = { cache, settledMs, stem: `${stemOf(main)}${asScript ? '-script' : ''}` };
  return find(place) ?? keep(place, await (asScript ? buildScript(main, place) : build(main, place, MODULE)));
}

function find(place) {
  try {
    const list = JSON.parse(readFileSync(listPath(place), 'utf8'));
    if (list.files.every(([file, stamp]) => stamp && stampOf(file) === stamp))
      return existing(bundlePath(place, list));
    const files = list.files.map(([file]) => [file, settledStamp(file, place)]);
    const found = { ...list, files, hash: hashOf(files) };
    const path = existing(bundlePath(place, found));
    if (path) noteList(place, found);
    return path;
  } catch {
    // No list of files yet, or one in pieces, or one with a file that is gone.
    return undefined;
  }
}

const existing = (path) => (existsSync(path) ? path : undefined);

function noteList(place, list) {
  try {
    writeList(place, list);
  } catch {
    // Contents are read at the next start again.
  }
}

/** A script cannot wait at its top level; esbuild says so. */
async function buildScript(main, place) {
  try {
    return await build(main, place, SCRIPT);
  } catch (error) {
    if (!error.errors?.some(({ text }) => text.startsWith('Top-level await'))) throw error;
    return build(main, place, MODULE);
  }
}

async function build(main, place, { extension, ...form }) {
  const isScript = form.format === 'cjs';
  const read = new Map();
  const outfile = join(place.cache, `bundle.${extension}`);
  const { build: bundle } = await import('esbuild');
  const { outputFiles } = await bundle({
    entryPoints: [main],
    bundle: true,
    write: false,
    outfile,
    platform: 'node',
    target: 'node20',
    ...form,
    sourcesContent: false,
    external: [...ABSENT, ...APART],
    logLevel: 'silent',
    plugins: [{ name: 'sources', setup: (setup) => readSources(setup, read, place, isScript) }],
  });
  const files = [
    ...[...read].sort(([one], [other]) => (one < other ? -1 : 1)).map(([file, { stamp }]) => [file, stamp]),
    ...deciding().map((file) => [file, settledStamp(file, place)]),
  ];
  const hash = hashOf(files, (file) => read.get(file)?.source ?? readFileSync(file));
  const contentOf = (end) => outputFiles.find(({ path }) => path.endsWith(end))?.contents;
  return {
    extension,
    files,
    hash,
    code: contentOf(`.${extension}`),
    map: isScript ? withPlaces(contentOf('.map'), outfile) : undefined,
  };
}

/** Names sources by where they are, wherever the map will lie. */
function withPlaces(map, outfile) {
  const content = JSON.parse(Buffer.from(map).toString());
  return JSON.stringify({
    ...content,
    sources: content.sources.map((source) => resolve(dirname(outfile), source)),
  });
}

/** Hands every file to esbuild, so that the hash is of what was built, whatever is written meanwhile. */
function readSources(setup, read, place, isScript) {
  setup.onLoad({ filter: /.*/, namespace: 'file' }, ({ path }) => {
    // Before it is read: what is written meanwhile has another stamp.
    const stamp = settledStamp(path, place);
    const source = readFileSync(path);
    read.set(path, { source, stamp });
    const loader = { '.ts': 'ts', '.json': 'json' }[extname(path)] ?? 'js';
    return { contents: loader === 'json' ? source : placed(source.toString(), path, isScript), loader };
  });
}

/** A file that asks where it is gets told where it was; stack traces need not say where in a package. */
function placed(source, path, isScript) {
  const isOurs = !path.includes('node_modules');
  const told = source
    .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
    .replace(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path)));
  if (isOurs) return isScript ? told.replace(IMPORT, '__importModule(') : told;
  const place = /\b__(dirname|filename)\b/.test(source)
    ? `var __filename = ${JSON.stringify(path)}, __dirname = ${JSON.stringify(dirname(path))};`
    : '';
  return `${place}${told}\n//# sourceMappingURL=data:application/json;base64,${NO_MAPPINGS}`;
}

/** `import(` of what does not become part of the bundle. */
const IMPORT = new RegExp(`(?<![.\\w$])import\\((?=\\s*(?:[^\\s'"\`]|['"](?:${APART.join('|')})['"/]))`, 'g');

const NO_MAPPINGS = Buffer.from('{"version":3,"sources":[""],"names":[],"mappings":"AAAA"}').toString(
  'base64',
);

/** Leaves it for later starts; tells where it is now. */
function keep(place, built) {
  try {
    mkdirSync(place.cache, { recursive: true });
    const path = write(bundlePath(place, built), built);
    writeList(place, built);
    forgetOld(place);
    return path;
  } catch {
    // A folder that cannot be written to costs a build at each start, and no start.
    const folder = mkdtempSync(join(tmpdir(), 'pawl-bundle-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return write(join(folder, `main.${built.extension}`), built);
  }
}

function write(path, { code, map }) {
  if (map) replace(`${path}.map`, map);
  replace(path, code);
  return path;
}

const writeList = (place, { extension, hash, files }) =>
  replace(listPath(place), JSON.stringify({ extension, hash, files }));

/**
 * Puts a whole file in place: under another name first, and on the disk, so that a reader finds all of it or none.
 *
 * @throws {Error} of the file system
 */
export function replace(path, content) {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, content, { flush: true });
  renameSync(draft, path);
}

function forgetOld({ cache, stem }) {
  const writtenAt = (name) => statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const all = readdirSync(cache).filter((name) => name.startsWith(`${stem}.`) && !name.endsWith('.json'));
  const bundles = all.filter((name) => /\.m?js$/.test(name));
  const kept = bundles.sort((a, b) => writtenAt(b) - writtenAt(a)).slice(0, KEPT);
  for (const name of all)
    if (!kept.some((bundle) => name.startsWith(bundle)) && Date.now() - writtenAt(name) > YOUNG_MS)
      rmSync(join(cache, name), { force: true });
}

const stemOf = (main) => relative(root, main).replace(/[^\w]+/g, '-');
const listPath = ({ cache, stem }) => join(cache, `${stem}.json`);
const bundlePath = ({ cache, stem }, { hash, extension }) => join(cache, `${stem}.${hash}.${extension}`);

/** Changes whenever the content does: only the file system itself sets the time of the last change. */
function stampOf(file, { ino, size, ctimeMs } = statSync(file)) {
  return `${ino}-${size}-${ctimeMs}`;
}

/** Null: too young to tell by its stamp alone whether it is still the same later. */
function settledStamp(file, { settledMs }) {
  const stat = statSync(file);
  return Date.now() - stat.ctimeMs >= settledMs ? stampOf(file, stat) : null;
}

/** Files that decide how an import is resolved and what is made of it. */
const deciding = () => [
  here,
  join(root, 'package-lock.json'),
  ...['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'package.json')),
  ),
];

function hashOf(files, contentOf = (file) => readFileSync(file)) {
  const hash = createHash('sha256');
  for (const [file] of files) {
    const content = contentOf(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

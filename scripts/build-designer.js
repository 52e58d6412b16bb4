// Builds the designer when its sources are not those of the last build. Vite does the work; see docs/decisions/0030.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { firstLoad, kilobytes } from './first-load.js';
import { prepare, root } from './prepare.js';

const SOURCES = [
  'apps/designer/index.html',
  'apps/designer/public',
  'apps/designer/src',
  'apps/designer/routes-as-data.ts',
  'apps/designer/vite.config.ts',
  'packages/api/src',
  'packages/dag-core/src',
  'package-lock.json',
];
const DIST = join(root, 'apps/designer/dist');
const STAMP = join(DIST, 'built-from');

/** Resolves when `apps/designer/dist` is the build of the sources that are here. */
export async function buildDesigner() {
  const sources = hashOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  console.error('Building the designer …');
  // Whoever asks for it, tests too: what is served is what is tested.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({ root: join(root, 'apps/designer'), logLevel: 'warn' });
  const loaded = firstLoad('src/screens/canvas/canvas-screen.tsx');
  console.error(`The canvas loads ${kilobytes(loaded)} KB (gzip) at first.`);
  writeFileSync(STAMP, sources);
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const source of SOURCES)
    for (const file of filesOf(source)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function filesOf(path) {
  if (/[.]\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  prepare();
  await buildDesigner();
}

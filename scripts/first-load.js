// How much a browser loads before it can show a screen: the entry, the screen, and all that both import at once.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const DIST = join(dirname(dirname(fileURLToPath(import.meta.url))), 'apps/designer/dist');

/**
 * @param screen the module of a lazily loaded screen, from `apps/designer`
 * @returns {{ name: string, bytes: number }[]} the scripts and styles of the build that is there, with their bytes of gzip; largest first
 */
export function firstLoad(screen) {
  const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));
  const files = new Set();
  const seen = new Set();
  const load = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    if (!manifest[key]) throw new Error(`The build has no ${key}`);
    const { file, css = [], imports = [] } = manifest[key];
    for (const each of [file, ...css]) files.add(each);
    imports.forEach(load);
  };
  load('index.html');
  load(screen);
  return [...files]
    .map((name) => ({ name, bytes: gzipSync(readFileSync(join(DIST, name))).length }))
    .sort((one, other) => other.bytes - one.bytes);
}

/** All of them together, in whole kilobytes. */
export const kilobytes = (files) => Math.ceil(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1024);

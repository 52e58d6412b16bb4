import { pathToFileURL } from 'node:url';
import { bundleOf } from './bundle.js';

/** Runs a TypeScript file of this repository in this process; stack traces point at the sources. */
export async function runTypeScript(main) {
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(await bundleOf(main)).href);
}

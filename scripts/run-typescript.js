import { pathToFileURL } from 'node:url';
import { bundleOf } from './bundle.js';
import { runScript } from './run-script.js';

/**
 * Runs a TypeScript file of this repository in this process: its top level, then `main()` where it exports one.
 * Stack traces point at the sources.
 *
 * @param main  absolute path
 */
export async function runTypeScript(main) {
  process.setSourceMapsEnabled(true);
  const bundle = await bundleOf(main, { asScript: true });
  if (bundle.endsWith('.mjs')) await import(pathToFileURL(bundle).href);
  else await runScript(bundle);
}

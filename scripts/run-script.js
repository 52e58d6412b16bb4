// Starts a bundled script with what V8 compiled of it the last time: half of the time of compiling some ten megabytes anew.
// (`module.enableCompileCache` does the same from Node 22 on; 20 has no such thing.)
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { replace } from './bundle.js';
import { pointAtSources } from './point-at-sources.js';

/** @param path  of a script that `bundleOf` made */
export async function runScript(path) {
  pointAtSources(path);
  const compiled = compiledPath(path);
  const script = new Script(String(readFileSync(path)), {
    filename: path,
    cachedData: kept(compiled),
  });
  const module = { exports: {} };
  const importModule = (specifier) => import(specifier);
  script.runInThisContext()(module.exports, createRequire(path), module, importModule);
  await module.exports.main?.();
  if (script.cachedDataRejected !== false) keepCompiled(script, compiled);
}

/** Another process may take old ones away meanwhile. */
function kept(compiled) {
  try {
    return readFileSync(compiled);
  } catch {
    return undefined;
  }
}

/** With what it called so far: functions are compiled when they are called first. */
function keepCompiled(script, compiled) {
  try {
    replace(compiled, script.createCachedData());
  } catch {
    // A folder that cannot be written to: compiled anew at each start.
  }
}

/** V8 refuses what another version, or one with other options, compiled; they must not take turns in replacing it. */
const compiledPath = (path) =>
  `${path}.${createHash('sha256')
    .update(JSON.stringify([process.version, process.arch, process.execArgv, process.env.NODE_OPTIONS]))
    .digest('hex')
    .slice(0, 12)}.compiled`;

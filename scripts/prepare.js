// What makes the commands work on a bare clone. Built-in modules only: nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the repository, without a slash at the end. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Checks the Node version and installs what is missing, exactly as locked. Ends the process when either fails. */
export function prepare() {
  checkNode();
  if (isInstalled()) return;
  console.error('Installing dependencies from package-lock.json …');
  const done = spawnSync(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
  );
  if (done.status === 0) return;
  console.error('npm ci failed: see the message above; a registry that npm reaches is needed once.');
  process.exit(1);
}

function checkNode() {
  const wanted = readJson('package.json').engines.node.replace('>=', '').split('.').map(Number);
  const found = process.versions.node.split('.').map(Number);
  const at = wanted.findIndex((part, index) => part !== found[index]);
  if (at === -1 || found[at] > wanted[at]) return;
  console.error(`Pawl needs Node ${wanted.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** True when every locked package is there in its locked version; optional ones (other systems' binaries) may be absent. */
function isInstalled() {
  const installedList = join('node_modules', '.package-lock.json');
  if (!existsSync(join(root, installedList))) return false;
  const installed = readJson(installedList).packages ?? {};
  return Object.entries(readJson('package-lock.json').packages).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/')) return true;
    const found = installed[path];
    if (!found) return Boolean(wanted.optional || wanted.peer);
    return wanted.link || found.version === wanted.version;
  });
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

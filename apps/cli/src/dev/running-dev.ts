import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DATABASE_NAME } from './dev-database.ts';
import { isAlive } from './live-process.ts';
import { DATABASE_USER } from './postgres-cluster.ts';
import { readPostmaster } from './postmaster-leftovers.ts';

/** Inside the data folder: the address of the engine that `pawl dev` runs now. */
export const ADDRESS_FILE = 'address';

/** The `.pawl` folder here or above, if there is one. */
function findDataFolder(from: string): string | undefined {
  const folder = join(from, '.pawl');
  if (existsSync(folder)) return folder;
  const parent = dirname(from);
  return parent === from ? undefined : findDataFolder(parent);
}

/** The address of the engine of a `pawl dev` that runs on the `.pawl` folder here or above. */
export function runningEngine(from: string): string | undefined {
  const folder = findDataFolder(from);
  if (!folder) return undefined;
  try {
    const address = readFileSync(join(folder, ADDRESS_FILE), 'utf8').trim();
    return URL.canParse(address) ? address : undefined;
  } catch {
    return undefined;
  }
}

/** The bundled database of a `pawl dev` that runs on the `.pawl` folder here or above. */
export async function runningDatabase(from: string): Promise<string | undefined> {
  const folder = findDataFolder(from);
  if (!folder) return undefined;
  const postmaster = await readPostmaster(join(folder, 'postgres', 'data'));
  const password = await readFile(join(folder, 'postgres', 'password'), 'utf8').catch(() => '');
  if (!postmaster || !password || !isAlive(postmaster.pid)) return undefined;
  return `postgres://${DATABASE_USER}:${password.trim()}@127.0.0.1:${postmaster.port}/${DATABASE_NAME}`;
}

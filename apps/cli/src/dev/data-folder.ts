import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type FolderLock, lockFolder } from './folder-lock.ts';

/** What `pawl dev` keeps: one folder, owned by one process at a time. */
export interface DataFolder {
  readonly path: string;
  /** Cluster, password and log of the bundled PostgreSQL. */
  readonly postgres: string;
  /** One log file for each process. */
  readonly logs: string;
  /** Where tools write files. */
  readonly output: string;
  readonly lock: FolderLock;
}

/** Makes and takes the folder. @throws {FolderInUseError} */
export async function openDataFolder(named: string): Promise<DataFolder> {
  const path = resolve(named);
  const lock = await lockFolder(path);
  const folders = {
    postgres: join(path, 'postgres'),
    logs: join(path, 'logs'),
    output: join(path, 'output'),
  };
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  return { path, ...folders, lock };
}

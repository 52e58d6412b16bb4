import type { Orm } from '@pawl/run-store';
import type { Command } from 'commander';
import { type CommonOptions, newCommand, type Shell } from '../command.ts';
import { StoreRefusedError } from '../errors.ts';
import { type DatabaseOptions, databaseUrlOf } from './database-url.ts';

export type StoreOptions = CommonOptions & DatabaseOptions & { readonly workspace?: string };

/** A command that works on the database itself, in one workspace. */
export const newStoreCommand = (name: string, description: string): Command =>
  newCommand(name, description)
    .option('--database-url <url>', 'PostgreSQL (DATABASE_URL)')
    .option('--workspace <id>', 'id of the workspace (default: the one that every database starts with)');

interface OpenStore {
  readonly orm: Orm;
  readonly store: typeof import('@pawl/run-store');
  readonly workspaceId: string;
}

/** Opens the database for `work` and closes it again. What the store refuses, the command line refuses. */
export async function withStore(
  command: string,
  options: StoreOptions,
  shell: Shell,
  work: (open: OpenStore) => Promise<void>,
): Promise<void> {
  const url = await databaseUrlOf(command, options, shell.io);
  // Loaded when needed: the mapper takes longer to load than most commands take.
  const store = await import('@pawl/run-store');
  const orm = await store.openOrm(url, { maxConnections: 1 });
  try {
    await work({ orm, store, workspaceId: options.workspace ?? store.DEFAULT_WORKSPACE_ID });
  } catch (error) {
    throw store.isStoreError(error) ? new StoreRefusedError(error.code, error) : error;
  } finally {
    await orm.close();
  }
}

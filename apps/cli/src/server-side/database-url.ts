import { runningDatabase } from '../dev/running-dev.ts';
import { NoDatabaseUrlError } from '../errors.ts';
import type { Io } from '../io.ts';

export interface DatabaseOptions {
  readonly databaseUrl?: string;
}

/**
 * The database of a command that works beside it: `--database-url`, else DATABASE_URL, else that of a running `pawl dev`.
 *
 * @throws {NoDatabaseUrlError}
 */
export async function databaseUrlOf(command: string, options: DatabaseOptions, io: Io): Promise<string> {
  const url = options.databaseUrl ?? io.env.DATABASE_URL ?? (await runningDatabase(io.cwd));
  if (!url) throw new NoDatabaseUrlError(command);
  return url;
}

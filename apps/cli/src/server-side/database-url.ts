import { NoDatabaseUrlError } from '../errors.ts';
import type { Io } from '../io.ts';

export interface DatabaseOptions {
  readonly databaseUrl?: string;
}

/** The database of a command that works beside it. @throws {NoDatabaseUrlError} */
export function databaseUrlOf(command: string, options: DatabaseOptions, io: Io): string {
  const url = options.databaseUrl ?? io.env.DATABASE_URL;
  if (!url) throw new NoDatabaseUrlError(command);
  return url;
}

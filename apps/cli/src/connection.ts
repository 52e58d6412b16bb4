import { type Client, createClient } from '@pawl/api';
import { runningEngine } from './dev/running-dev.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';

/** Where `pawl dev` listens unless that port is taken. */
export const DEFAULT_PORT = 7420;

export interface ConnectionOptions {
  readonly url?: string;
  readonly key?: string;
}

/**
 * The engine's address: `--url`, else PAWL_URL, else that of a `pawl dev` whose `.pawl` folder is here or above, else the
 * default port of this machine.
 *
 * @throws {UsageError} when it is no http address
 */
function engineUrl(options: ConnectionOptions, io: Io): string {
  const named = options.url ?? io.env.PAWL_URL;
  if (!named) return runningEngine(io.cwd) ?? `http://127.0.0.1:${DEFAULT_PORT}`;
  if (/^https?:\/\/[^/]+/.test(named) && URL.canParse(named)) return named;
  throw new UsageError(
    `"${named}" is no address of an engine: expected one like http://127.0.0.1:${DEFAULT_PORT}.`,
  );
}

/** The typed client of the engine that the options, the environment or a running `pawl dev` name. */
export function connect(options: ConnectionOptions, io: Io): Client {
  const apiKey = options.key ?? io.env.PAWL_API_KEY;
  return createClient({ baseUrl: engineUrl(options, io), ...(apiKey ? { apiKey } : {}) });
}

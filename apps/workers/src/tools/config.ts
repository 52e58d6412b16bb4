import { type MailConfig, readMailConfig } from './mail/config.ts';
import type { SqlConfig } from './sql/connections.ts';

/** What the tools that every worker offers are told from outside. */
export interface ToolsConfig {
  /** Everything below it may be read. */
  readonly filesRoot: string;
  /** Everything below it may be written. Default: `filesRoot`. */
  readonly writeRoot?: string;
  /** Largest answer that HTTP tools take, in bytes after decompression. Default 64 MB. */
  readonly maxHttpBytes?: number;
  /** From variables `PAWL_SQL_<NAME>`; the same for every workspace of this worker. Default: none. */
  readonly sql?: SqlConfig;
  /** Default: no mail can be sent. */
  readonly mail?: MailConfig;
}

/**
 * Reads the configuration of tools.
 *
 * @param env  usually `process.env`, handed in by the process's own configuration
 * @throws {Error} with a sentence that names the variable and what is wrong; never with a value that may be secret (V13)
 */
export function readToolsConfig(env: Readonly<Record<string, string | undefined>>): ToolsConfig {
  const mail = readMailConfig(env);
  const filesRoot = env.PAWL_FILES_ROOT ?? process.cwd();
  return {
    filesRoot,
    writeRoot: env.PAWL_WRITE_ROOT ?? filesRoot,
    sql: { urls: sqlUrls(env) },
    ...(mail && { mail }),
    ...bytes(env, 'PAWL_HTTP_MAX_BYTES', 'maxHttpBytes'),
  };
}

const SQL_PREFIX = 'PAWL_SQL_';

function sqlUrls(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const [variable, url] of Object.entries(env)) {
    if (!variable.startsWith(SQL_PREFIX) || !url) continue;
    const name = variable.slice(SQL_PREFIX.length).toLowerCase();
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      throw new Error(
        `${variable} names no connection; expected letters, digits and _ behind ${SQL_PREFIX}.`,
      );
    if (!/^postgres(ql)?:\/\/./.test(url) || !URL.canParse(url))
      throw new Error(
        `${variable} is no address of a database; expected postgres://user:password@host/database.`,
      );
    urls[name] = url;
  }
  return urls;
}

function bytes<Key extends string>(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  key: Key,
): Partial<Record<Key, number>> {
  const text = env[name];
  if (text === undefined || text === '') return {};
  if (!/^[1-9]\d{0,11}$/.test(text))
    throw new Error(`${name} is "${text}"; expected a number of bytes, 1 or more.`);
  return { [key]: Number(text) } as Partial<Record<Key, number>>;
}

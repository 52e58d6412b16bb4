import { readFileSync } from 'node:fs';
import { EFFECT_CLASSES } from '@pawl/dag-core';
import { z } from 'zod';

/** What a person has said of one tool: its class, for the definition that was looked at. */
const confirmation = z.strictObject({
  effect: z.enum(EFFECT_CLASSES),
  definition: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Confirmation = z.infer<typeof confirmation>;

const ofEveryServer = {
  /** By the names that the server gives its tools. */
  effects: z.record(z.string(), confirmation).optional(),
  /** Member of `_meta` in which a call carries its key. */
  keyName: z
    .string()
    .regex(/^([a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*\/)?[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/)
    .optional(),
};
const texts = z.record(z.string(), z.string());
/** A process that the worker starts, spoken to through its standard input and output. */
const overStdio = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  cwd: z.string().optional(),
  ...ofEveryServer,
});
/** A service, spoken to by Streamable HTTP. */
const overHttp = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  headers: texts.optional(),
  ...ofEveryServer,
});
export type StdioServer = z.infer<typeof overStdio>;

export type McpServerConfig = StdioServer | z.infer<typeof overHttp>;

/** MCP servers by name. */
export type McpConfig = Readonly<Record<string, McpServerConfig>>;

/** The name becomes part of the names of tools. */
const NAME = /^[a-z][a-z0-9_]{0,31}$/;

/**
 * Reads `PAWL_MCP_SERVERS`: a JSON object of servers by name, or the path of a file that holds one, as in
 * `{"github":{"url":"https://mcp.example.com/","headers":{"Authorization":"Bearer …"}}}`.
 *
 * @param env  usually `process.env`, handed in by the process's own configuration
 * @throws {Error} with a sentence that names the server and what is wrong; never with a value of it (V13)
 */
export function readMcpConfig(env: Readonly<Record<string, string | undefined>>): McpConfig {
  const said = env.PAWL_MCP_SERVERS?.trim();
  if (!said) return {};
  const value = parsed(said.startsWith('{') ? said : contentOf(said));
  return Object.fromEntries(Object.entries(value).map(([name, server]) => [name, readServer(name, server)]));
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as { code?: string };
    throw new Error(
      `PAWL_MCP_SERVERS is neither a JSON object nor a file that can be read (${code}): ${path}.`,
      { cause },
    );
  }
}

function parsed(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('PAWL_MCP_SERVERS is not JSON; expected an object of servers by name.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Error('PAWL_MCP_SERVERS is no JSON object; expected one of servers by name.');
}

function readServer(name: string, value: unknown): McpServerConfig {
  if (!NAME.test(name))
    throw new Error(
      `PAWL_MCP_SERVERS names a server "${name}"; expected lower-case letters, digits and _, a letter first, at most 32.`,
    );
  const { command, url } = (value ?? {}) as { command?: unknown; url?: unknown };
  if ((command === undefined) === (url === undefined))
    throw new Error(
      `PAWL_MCP_SERVERS: server ${name} needs a "command" that starts it, or the "url" where it is; one of them.`,
    );
  const read = (url === undefined ? overStdio : overHttp).safeParse(value);
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) =>
    [
      issue.path.join('.') || 'the whole',
      'keys' in issue ? `unknown: ${issue.keys.join(', ')}` : issue.code,
    ].join(' — '),
  );
  throw new Error(`PAWL_MCP_SERVERS: server ${name} cannot be used: ${problems.join('; ')}.`);
}

/** Shorter values of variables are settings, and hiding them would black out ordinary words. */
const SHORTEST_SECRET = 8;

/** What of a server must not be seen: the values of its variables and headers, and what its URL may carry. */
export function secretsOf(server: McpServerConfig): string[] {
  if ('command' in server)
    return Object.values(server.env ?? {}).filter((value) => value.length >= SHORTEST_SECRET);
  const { username, password, searchParams } = new URL(server.url);
  const credentials = Object.values(server.headers ?? {}).flatMap((value) => [
    value,
    // What stands behind `Bearer`.
    ...value.split(' ').slice(1),
  ]);
  return [
    ...credentials,
    decodeURIComponent(username),
    decodeURIComponent(password),
    ...searchParams.values(),
  ].filter((value) => value.length >= SHORTEST_SECRET);
}

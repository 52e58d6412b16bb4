import { z } from 'zod';
import type { ModelsConfig } from './registry.ts';

const price = z.strictObject({
  inputUsdPerMillion: z.number().nonnegative(),
  outputUsdPerMillion: z.number().nonnegative(),
  cacheReadUsdPerMillion: z.number().nonnegative().optional(),
});
const server = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }),
  apiKey: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  structured: z.enum(['schema', 'json', 'words']).optional(),
  maxOutputTokens: z.int().positive().optional(),
  prices: z.record(z.string(), price).optional(),
  models: z.array(z.string()).optional(),
});
const servers = z.record(z.string().regex(/^[A-Za-z0-9][\w.-]*$/), server);

/**
 * Reads the configuration of models: `OPENAI_API_KEY`, `OPENAI_BASE_URL`, and `PAWL_COMPATIBLE`, a JSON object of
 * servers by name as in `{"ollama":{"baseUrl":"http://127.0.0.1:11434/v1"}}`.
 *
 * @param env  usually `process.env`, handed in by the process's own configuration
 * @throws {TypeError} with a sentence that names the variable and what is wrong; never with a value of it (V13)
 */
export function readModelsConfig(env: Readonly<Record<string, string | undefined>>): ModelsConfig {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, PAWL_COMPATIBLE: compatible } = env;
  // Workspaces may bring a key along where credentials can be opened.
  const hasOpenAi = Boolean(apiKey || env.PAWL_SECRET_KEY);
  if (baseUrl && !/^https?:\/\/./.test(baseUrl))
    throw new TypeError('OPENAI_BASE_URL is no address that begins with http:// or https://.');
  return {
    ...(hasOpenAi ? { openai: { ...(apiKey ? { apiKey } : {}), ...(baseUrl ? { baseUrl } : {}) } } : {}),
    ...(compatible ? { compatible: readServers(compatible) } : {}),
  };
}

function readServers(text: string): z.infer<typeof servers> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TypeError('PAWL_COMPATIBLE is not JSON; expected an object of servers by name.');
  }
  const parsed = servers.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, code }) => `${path.join('.') || 'the whole value'} (${code})`,
  );
  throw new TypeError(`PAWL_COMPATIBLE cannot be used; see ${problems.join(', ')}.`);
}

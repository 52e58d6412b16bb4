import { defineModelProvider, type ModelPrice, type ModelProvider } from '@pawl/tool-sdk';
import { createNetwork, type Fetch, type Network } from '../network/index.ts';
import { invalidModel } from './call-errors.ts';
import { DEFAULT_MAX_OUTPUT_TOKENS } from './openai.ts';
import { callThroughSdk } from './sdk-call.ts';
import { upperInputTokens } from './tokens.ts';

/** One server that speaks OpenAI's Chat Completions: vLLM, Ollama, LiteLLM, … */
interface CompatibleServer {
  /** With the version part, as in `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** Sent with each call; values count as secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * How a schema is handed over. `schema` (default): enforced by `response_format: json_schema`; `json`: any JSON is
   * enforced and the schema told in words; `words`: only told.
   */
  readonly structured?: 'schema' | 'json' | 'words';
  /** Bound of answers whose request names none; default 4,096. */
  readonly maxOutputTokens?: number;
  /** Per model, in USD per million tokens; models without one are recorded as `unpriced`. */
  readonly prices?: Readonly<Record<string, ConfiguredPrice>>;
  /** Names offered in lists. */
  readonly models?: readonly string[];
}

/** A price written into the configuration. */
interface ConfiguredPrice {
  readonly inputUsdPerMillion: number;
  readonly outputUsdPerMillion: number;
  readonly cacheReadUsdPerMillion?: number;
}

/** Servers by the name used in `compatible:<name>/<model>`. */
export type CompatibleConfig = Readonly<Record<string, CompatibleServer>>;

/** The provider `compatible:<name>/<model>`, through the AI SDK with its retries off. */
export function createCompatibleProvider(
  servers: CompatibleConfig,
  network: Network = createNetwork(),
): ModelProvider {
  const sends = new Map<string, Fetch>(
    Object.entries(servers).map(([name, { baseUrl }]) => [name, network.fetchFor(baseUrl)]),
  );
  return defineModelProvider({
    specification: 1,
    name: 'compatible',
    async call(request, context) {
      const found = findServer(servers, request.model);
      if (typeof found === 'string') throw invalidModel(found);
      const { server, name, model } = found;
      return callThroughSdk(request, context, {
        label: `compatible:${request.model}`,
        fetch: sends.get(name)!,
        secrets: [server.apiKey, ...Object.values(server.headers ?? {})].filter((text) => text !== undefined),
        maxOutputTokens: server.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
        structured: server.structured ?? 'schema',
        providerOptions: (strict) => ({ openaiCompatible: { strictJsonSchema: strict } }),
        async model(fetch) {
          const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
          return createOpenAICompatible({
            name,
            baseURL: server.baseUrl,
            ...(server.apiKey === undefined ? {} : { apiKey: server.apiKey }),
            ...(server.headers === undefined ? {} : { headers: { ...server.headers } }),
            includeUsage: true,
            supportsStructuredOutputs: (server.structured ?? 'schema') === 'schema',
            fetch,
          }).chatModel(model);
        },
      });
    },
    estimate(request) {
      const found = findServer(servers, request.model);
      const bound = typeof found === 'string' ? undefined : found.server.maxOutputTokens;
      return {
        inputTokens: upperInputTokens(request),
        maxOutputTokens: request.parameters.maxOutputTokens ?? bound ?? DEFAULT_MAX_OUTPUT_TOKENS,
      };
    },
    price(id) {
      const found = findServer(servers, id);
      if (typeof found === 'string' || !Object.hasOwn(found.server.prices ?? {}, found.model))
        return undefined;
      return configuredPrice(found.server.prices![found.model]!);
    },
    check(id) {
      const found = findServer(servers, id);
      return typeof found === 'string' ? found : undefined;
    },
    models: () =>
      Object.entries(servers).flatMap(([name, { models }]) =>
        (models ?? []).map((model) => `${name}/${model}`),
      ),
  });
}

/** The server and its model, or a sentence that says why there is none. */
function findServer(
  servers: CompatibleConfig,
  id: string,
): { server: CompatibleServer; name: string; model: string } | string {
  const slash = id.indexOf('/');
  const name = slash < 0 ? id : id.slice(0, slash);
  const model = slash < 0 ? '' : id.slice(slash + 1);
  if (model === '') return `Model "compatible:${id}" is not complete: write compatible:<server>/<model>.`;
  if (!Object.hasOwn(servers, name)) {
    const known = Object.keys(servers);
    const names = known.length === 0 ? 'none is configured' : `configured are ${known.join(', ')}`;
    return `Model "compatible:${id}" names the server "${name}", which is not configured; ${names}.`;
  }
  return { server: servers[name]!, name, model };
}

function configuredPrice(price: ConfiguredPrice): ModelPrice {
  const { cacheReadUsdPerMillion: cacheRead } = price;
  return {
    inputNanoUsd: price.inputUsdPerMillion * 1_000,
    outputNanoUsd: price.outputUsdPerMillion * 1_000,
    ...(cacheRead === undefined ? {} : { cacheReadNanoUsd: cacheRead * 1_000 }),
    version: 'configured',
  };
}

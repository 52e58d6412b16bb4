import { defineModelProvider, type ModelProvider, type ModelRequest } from '@pawl/tool-sdk';
import { createNetwork, type Network } from '../network/index.ts';
import { callNotMade } from './call-errors.ts';
import { priceOf } from './prices.ts';
import { callThroughSdk } from './sdk-call.ts';
import { upperInputTokens } from './tokens.ts';

/** Bound of answers whose request names none. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

/** Where and how OpenAI is called. */
export interface OpenAiConfig {
  /** Without it calls fail with a sentence that says so. */
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** Default `auto`: the Responses API, or Chat Completions for what only that knows (`seed`, `stop`). */
  readonly api?: 'auto' | 'responses' | 'chat';
  /** Bound of answers whose request names none; default 4,096. */
  readonly maxOutputTokens?: number;
  /** Names offered in lists. */
  readonly models?: readonly string[];
}

const OFFERED = ['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-4.1', 'gpt-4.1-mini'];

const OWN_URL = 'https://api.openai.com/v1';

/** The provider `openai:<model>`, through the AI SDK with its retries off. */
export function createOpenAiProvider(
  config: OpenAiConfig,
  network: Network = createNetwork(),
): ModelProvider {
  const baseURL = config.baseUrl ?? OWN_URL;
  const send = network.fetchFor(baseURL);
  const maxOutputTokens = config.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS;
  return defineModelProvider({
    specification: 1,
    name: 'openai',
    async call(request, context) {
      const apiKey = (await context.credential?.('OPENAI_API_KEY')) ?? config.apiKey;
      const label = `openai:${request.model}`;
      if (apiKey === undefined || apiKey === '') {
        throw callNotMade(
          `${label} was not called: no API key is configured; set OPENAI_API_KEY, as a credential of the workspace or in the environment of the workers.`,
          false,
        );
      }
      const api = apiFor(request, config.api ?? 'auto');
      return callThroughSdk(request, context, {
        label,
        fetch: send,
        secrets: [apiKey],
        maxOutputTokens,
        structured: 'schema',
        // The engine checks arguments and tells the model what is wrong; strict mode would refuse many schemas.
        toolStrictness: false,
        // Answers are kept in the journal; a second copy at the provider serves nobody.
        providerOptions: (strict) => ({
          openai: { strictJsonSchema: strict, ...(api === 'responses' ? { store: false } : {}) },
        }),
        async model(fetch) {
          const { createOpenAI } = await import('@ai-sdk/openai');
          // Named in full: left out, the SDK would look into the environment by itself.
          const openai = createOpenAI({ apiKey, baseURL, fetch });
          return api === 'chat' ? openai.chat(request.model) : openai.responses(request.model);
        },
      });
    },
    estimate: (request) => ({
      inputTokens: upperInputTokens(request),
      maxOutputTokens: request.parameters.maxOutputTokens ?? maxOutputTokens,
    }),
    price: (model) => priceOf('openai', model),
    models: () => [...(config.models ?? OFFERED)],
  });
}

function apiFor({ parameters }: ModelRequest, wanted: 'auto' | 'responses' | 'chat'): 'responses' | 'chat' {
  if (wanted !== 'auto') return wanted;
  const onlyChat = parameters.seed !== undefined || (parameters.stop?.length ?? 0) > 0;
  return onlyChat ? 'chat' : 'responses';
}

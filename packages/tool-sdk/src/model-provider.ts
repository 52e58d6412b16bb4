// What the engine asks of a source of model answers, and nothing about runs. A provider is a plain object:
// it is called at most once per committed intent, never retries by itself, and reports every failure as ModelCallError.
import type { Json, JsonObject, JsonSchema } from './json.ts';

/** One message of the conversation, in order. */
export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  /** With tool calls the text may be empty; a message of role `tool` for each of them follows. */
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly ModelToolCall[];
    }
  /** What became of a tool call: a text, or JSON text. */
  | {
      readonly role: 'tool';
      readonly content: string;
      readonly callId: string;
      readonly name: string;
      readonly isError?: true;
    };

/** A tool that the model may ask for. */
export interface ModelTool {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments, which are an object. */
  readonly schema: JsonObject;
}

/** A tool call that a model asked for. */
export interface ModelToolCall {
  /** Unique in its answer, if the provider keeps its word. */
  readonly id: string;
  readonly name: string;
  /** JSON text as it came: also when it is empty, or no JSON. */
  readonly arguments: string;
}

/** Sampling parameters; what is absent is left to the provider. */
export interface ModelParameters {
  readonly temperature?: number;
  readonly topP?: number;
  /** Upper bound of the answer in tokens, reasoning included. */
  readonly maxOutputTokens?: number;
  readonly seed?: number;
  /** Texts at which the answer ends. */
  readonly stop?: readonly string[];
}

/** What is asked, rendered: a plain JSON value, exactly what the journal keeps (replay §2.1.4). */
export interface ModelRequest {
  /** Without the provider prefix: `gpt-5-mini`, `ollama/llama3:8b`, `writer?latencyMs=200`. */
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly parameters: ModelParameters;
  /** The answer must be one JSON value of this shape. Validating it is the engine's work. */
  readonly schema?: JsonSchema;
  /** Tools that may be asked for; the engine calls them. A provider that cannot offer tools throws. */
  readonly tools?: readonly ModelTool[];
}

/** What surrounds one call. Never part of the request, never recorded. */
export interface ModelCallContext {
  /** Sent to the provider with the call; the same for every attempt of this call (V4). */
  readonly idempotencyKey: string;
  /** Aborted on cancel, time-out and a lost lease. A provider stops at once and throws. */
  readonly signal: AbortSignal;
  /** Receives partial text as it comes. Whole code points only. Ephemeral: the response is what counts. */
  readonly onDelta?: (text: string) => void;
  /** A credential of the workspace that calls, by its name; undefined when it has none. For keys that workspaces bring along. */
  readonly credential?: (name: string) => Promise<string | undefined>;
}

/** Tokens of one call. `input` includes the cached parts, `output` includes `reasoning`; nothing is counted twice. */
export interface ModelUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

export type ModelFinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'refusal' | 'other';

/** What came back. The raw text is kept as it came, also when it is not the JSON that was asked for. */
export interface ModelResponse {
  readonly text: string;
  /** Whole calls only, each with its own arguments; in the order the model asked for them. */
  readonly toolCalls?: readonly ModelToolCall[];
  readonly finishReason: ModelFinishReason;
  readonly usage: ModelUsage;
  /** The model that answered, as the provider names it. */
  readonly model: string;
  readonly responseId?: string;
  /** Milliseconds from sending to the first piece of text; present only when the answer was streamed. */
  readonly firstTokenMs?: number;
  readonly totalMs: number;
  /** Set by simulators, and only by them. */
  readonly simulated?: true;
}

/** Upper estimate of one call, used to reserve budget before it is sent (V6). */
export interface ModelEstimate {
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
}

/** Rates per token in nano-USD (1e-9 USD; 1 USD per million tokens is 1,000). May be fractions. */
export interface ModelRates {
  readonly inputNanoUsd: number;
  readonly outputNanoUsd: number;
  /** Absent: cached parts cost what other input costs. */
  readonly cacheReadNanoUsd?: number;
  readonly cacheWriteNanoUsd?: number;
}

/** What a model costs. */
export interface ModelPrice extends ModelRates {
  /** Other rates for calls whose input, cached parts included, is longer; ascending. They hold for the whole call. */
  readonly above?: readonly (ModelRates & { readonly inputTokens: number })[];
  /** Names the table the prices come from; recorded with each answer. */
  readonly version: string;
}

/** A source of model answers. */
export interface ModelProvider {
  /** Version of this interface. */
  readonly specification: 1;
  /** The prefix in `<name>:<model>`. */
  readonly name: string;
  /**
   * Makes one call. Never retries, never changes the text that came.
   *
   * @throws {ModelCallError} for every failure, an abort included
   */
  call(request: ModelRequest, context: ModelCallContext): Promise<ModelResponse>;
  /**
   * Upper bounds, from the request alone; no network. A request without `maxOutputTokens` is sent with the
   * `maxOutputTokens` given here, so that a reservation is a bound.
   */
  estimate(request: ModelRequest): ModelEstimate;
  /** Price of a model, or undefined when none is known (its calls are recorded as `unpriced`). */
  price(model: string): ModelPrice | undefined;
  /** Says in a sentence why a model name cannot work, or undefined when it may; no network. Asked at publish. */
  check?(model: string): string | undefined;
  /** Names worth offering in a list, without the prefix. A name that is missing here may still work. */
  models?(): string[];
}

export type ModelFailureClass = 'permanent' | 'transient' | 'timed_out' | 'cancelled';

/** A failed call as data. */
export interface ModelCallProblem {
  /** Stable, snake_case. */
  readonly code: string;
  /** Contains the provider's own words where there are any; never a key (V13). */
  readonly message: string;
  readonly class: ModelFailureClass;
  /** HTTP status, when an answer came. */
  readonly status?: number;
  /** How long the provider asked to wait. */
  readonly retryAfterMs?: number;
  /** False only when it is certain that nothing reached the provider. */
  readonly sent: boolean;
  /** Evidence for a person; plain JSON, no secrets. */
  readonly detail?: Json;
}

/** The one error a provider throws. */
export class ModelCallError extends Error implements ModelCallProblem {
  readonly code: string;
  readonly class: ModelFailureClass;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly sent: boolean;
  readonly detail?: Json;

  constructor(problem: ModelCallProblem, options?: { cause?: unknown }) {
    super(problem.message, options);
    this.name = 'ModelCallError';
    this.code = problem.code;
    this.class = problem.class;
    this.sent = problem.sent;
    if (problem.status !== undefined) this.status = problem.status;
    if (problem.retryAfterMs !== undefined) this.retryAfterMs = problem.retryAfterMs;
    if (problem.detail !== undefined) this.detail = problem.detail;
  }
}

/**
 * Checks a provider where it is written, so that a slip shows at start and not at the first call.
 *
 * @throws {TypeError} when a part of the interface is missing or the name cannot be a prefix
 */
export function defineModelProvider<P extends ModelProvider>(provider: P): P {
  const name: unknown = provider.name;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new TypeError(
      `Model provider name ${JSON.stringify(name)} cannot be used: it is the prefix in "<name>:<model>", so use a-z, 0-9 and "-", beginning with a letter.`,
    );
  }
  if (provider.specification !== 1) {
    throw new TypeError(
      `Model provider ${name} has specification ${String(provider.specification)}; this version knows 1.`,
    );
  }
  for (const part of ['call', 'estimate', 'price'] as const) {
    if (typeof provider[part] !== 'function') {
      throw new TypeError(`Model provider ${name} has no function "${part}".`);
    }
  }
  return provider;
}

/** Cost of a usage in whole nano-USD, rounded up. Cached parts are priced once, at their own rate if there is one. */
export function costOfUsage(price: ModelPrice, usage: ModelUsage): number {
  const rates = ratesFor(price, usage.input);
  const cacheRead = usage.cacheRead ?? 0;
  const cacheWrite = usage.cacheWrite ?? 0;
  const fresh = Math.max(0, usage.input - cacheRead - cacheWrite);
  return roundUp(
    fresh * rates.inputNanoUsd +
      cacheRead * (rates.cacheReadNanoUsd ?? rates.inputNanoUsd) +
      cacheWrite * (rates.cacheWriteNanoUsd ?? rates.inputNanoUsd) +
      usage.output * rates.outputNanoUsd,
  );
}

/** The most an estimated call can cost, in whole nano-USD: what a budget reserves for it. */
export function costOfEstimate(price: ModelPrice, estimate: ModelEstimate): number {
  const rates = ratesFor(price, estimate.inputTokens);
  const perInput = Math.max(rates.inputNanoUsd, rates.cacheWriteNanoUsd ?? 0);
  return roundUp(estimate.inputTokens * perInput + estimate.maxOutputTokens * rates.outputNanoUsd);
}

function ratesFor(price: ModelPrice, inputTokens: number): ModelRates {
  return price.above?.findLast((tier) => inputTokens > tier.inputTokens) ?? price;
}

/** Upwards to whole nano-USD, but not by one because of the last bits of a sum of fractions. */
function roundUp(nanoUsd: number): number {
  return Math.ceil(nanoUsd - 1e-6);
}

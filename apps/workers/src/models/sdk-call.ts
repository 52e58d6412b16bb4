import type { OpenAIProvider } from '@ai-sdk/openai';
import type {
  ModelCallContext,
  ModelFinishReason,
  ModelRequest,
  ModelResponse,
  ModelToolCall,
  ModelUsage,
} from '@pawl/tool-sdk';
import type { Fetch } from '../network/index.ts';
import { callNotMade, cancelledCall, unreadableAnswer } from './call-errors.ts';
import { joinDeltas } from './deltas.ts';
import { type FailedCall, streamError, toModelCallError } from './sdk-errors.ts';
import { sdkMessageOf, sdkToolOf } from './sdk-messages.ts';
import { sentSchemaOf } from './strict-schema.ts';
import { countInputTokens, countTokens, countToolCalls } from './tokens.ts';
import { ToolCallPieces } from './tool-call-pieces.ts';

// Rules kept here: one request per call, the AI SDK's model is used below the layer that retries; the raw text is kept;
// usage is what the provider said last, never a sum (C70); the key goes along as Idempotency-Key; secrets stay out of
// errors (V13).

/** A model of the AI SDK (specification V3). */
type SdkModel = ReturnType<OpenAIProvider['chat']>;
type SdkOptions = Parameters<SdkModel['doGenerate']>[0];
type SdkGenerated = Awaited<ReturnType<SdkModel['doGenerate']>>;
type SdkUsage = SdkGenerated['usage'];
type SdkFinish = SdkGenerated['finishReason'];

/** How one provider wants its calls. */
export interface SdkCallPlan {
  /** `<provider>:<model>`. */
  readonly label: string;
  readonly secrets: readonly string[];
  /** Sent when the request names no bound. */
  readonly maxOutputTokens: number;
  /** How a schema is handed over: enforced, as a wish for JSON, or in words only. */
  readonly structured: 'schema' | 'json' | 'words';
  /** What is said about strict mode of tools; undefined: nothing, for servers that may not know the word. */
  readonly toolStrictness?: boolean;
  /** Options of the provider, given what is known about the schema. */
  providerOptions(strict: boolean): SdkOptions['providerOptions'];
  /** What sends; connects where the configuration of the server allows. */
  readonly fetch: Fetch;
  /** Makes the SDK's model on the given fetch. */
  model(fetch: typeof globalThis.fetch): Promise<SdkModel>;
}

/** Makes one call through the AI SDK. */
export async function callThroughSdk(
  request: ModelRequest,
  context: ModelCallContext,
  plan: SdkCallPlan,
): Promise<ModelResponse> {
  const { signal } = context;
  if (signal.aborted) throw cancelledCall(signal, false);
  const seen: { sent: boolean; httpStatus?: number } = { sent: false };
  const watchedFetch: typeof globalThis.fetch = async (input, init) => {
    // A second request under one intent would be paid for and not recorded.
    if (seen.sent)
      throw callNotMade(`${plan.label}: a second request was about to be made for one call.`, true);
    seen.sent = true;
    // The SDK hands over addresses as text or URL, never a Request.
    const response = await plan.fetch(input as string | URL, { ...init, redirect: 'manual' });
    seen.httpStatus = response.status;
    return response;
  };
  const failed = (): FailedCall => ({ label: plan.label, signal, secrets: plan.secrets, ...seen });
  try {
    const model = await plan.model(watchedFetch);
    const options = sdkOptionsOf(request, context, plan);
    const startedAt = performance.now();
    const answer =
      context.onDelta === undefined
        ? await generate(model, options)
        : await stream(model, options, context.onDelta, startedAt, failed);
    return { ...responseOf(answer, request, plan.label), totalMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    throw toModelCallError(error, failed());
  }
}

interface Answer {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: SdkUsage | undefined;
  readonly finish: SdkFinish | undefined;
  readonly id?: string | undefined;
  readonly modelId?: string | undefined;
  readonly firstTokenMs?: number | undefined;
  readonly streamed: boolean;
}

function sdkOptionsOf(request: ModelRequest, context: ModelCallContext, plan: SdkCallPlan): SdkOptions {
  const { parameters, schema, tools } = request;
  const sent = schema === undefined ? undefined : sentSchemaOf(schema);
  const inWords = sent !== undefined && plan.structured !== 'schema';
  const schemaText = `Answer with one JSON value that matches this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;
  const messages = inWords
    ? [{ role: 'system' as const, content: schemaText }, ...request.messages]
    : request.messages;
  return {
    prompt: messages.map(sdkMessageOf),
    tools: tools?.map((tool) => sdkToolOf(tool, plan.toolStrictness)),
    maxOutputTokens: parameters.maxOutputTokens ?? plan.maxOutputTokens,
    temperature: parameters.temperature,
    topP: parameters.topP,
    seed: parameters.seed,
    stopSequences: parameters.stop === undefined ? undefined : [...parameters.stop],
    responseFormat: responseFormatOf(sent?.schema, plan.structured),
    headers: { 'idempotency-key': context.idempotencyKey },
    abortSignal: context.signal,
    providerOptions: plan.providerOptions(sent?.strict ?? false),
  };
}

function responseFormatOf(
  schema: SdkSchema | undefined,
  structured: SdkCallPlan['structured'],
): SdkOptions['responseFormat'] {
  if (schema === undefined || structured === 'words') return undefined;
  return structured === 'json' ? { type: 'json' } : { type: 'json', name: 'answer', schema };
}
type SdkSchema = NonNullable<Extract<SdkOptions['responseFormat'], { type: 'json' }>['schema']>;

async function generate(model: SdkModel, options: SdkOptions): Promise<Answer> {
  const { content, usage, finishReason, response } = await model.doGenerate(options);
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const toolCalls = content.flatMap((part) => (part.type === 'tool-call' ? [toolCallOf(part)] : []));
  return {
    text,
    toolCalls,
    usage,
    finish: finishReason,
    id: response?.id,
    modelId: response?.modelId,
    streamed: false,
  };
}

async function stream(
  model: SdkModel,
  options: SdkOptions,
  onDelta: (text: string) => void,
  startedAt: number,
  failed: () => FailedCall,
): Promise<Answer> {
  const { stream: parts } = await model.doStream({
    ...options,
    includeRawChunks: options.tools !== undefined,
  });
  const deltas = joinDeltas(onDelta);
  const toolCalls: ModelToolCall[] = [];
  const pieces = new ToolCallPieces();
  let usage: SdkUsage | undefined;
  let finish: SdkFinish | undefined;
  let meta: { id?: string | undefined; modelId?: string | undefined } = {};
  let firstTokenMs: number | undefined;
  const reader = parts.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const part = next.value;
      if (part.type === 'text-delta') {
        firstTokenMs ??= Math.round(performance.now() - startedAt);
        deltas.push(part.delta);
      } else if (part.type === 'tool-call') {
        toolCalls.push(toolCallOf(part));
      } else if (part.type === 'raw') {
        pieces.take(part.rawValue);
      } else if (part.type === 'response-metadata') {
        meta = { id: part.id ?? meta.id, modelId: part.modelId ?? meta.modelId };
      } else if (part.type === 'finish') {
        usage = part.usage;
        finish = part.finishReason;
      } else if (part.type === 'error') {
        throw streamError(part.error, failed());
      }
    }
  } finally {
    // Closes the connection when the answer is left early; at the end of the stream it does nothing.
    reader.cancel().catch(() => undefined);
  }
  // The SDK joins pieces of two calls that share an index (C64), so those of Chat Completions are put together here.
  const joined = pieces.calls();
  return {
    text: deltas.end(),
    toolCalls: joined.length > 0 ? joined : toolCalls,
    usage,
    finish,
    ...meta,
    firstTokenMs,
    streamed: true,
  };
}

const toolCallOf = (part: { toolCallId: string; toolName: string; input: string }): ModelToolCall => ({
  id: part.toolCallId,
  name: part.toolName,
  arguments: part.input,
});

function responseOf(answer: Answer, request: ModelRequest, label: string): Omit<ModelResponse, 'totalMs'> {
  const { text, toolCalls, finish } = answer;
  // A connection that was closed in good order but too early looks like this; its text is a part, not an answer.
  const isOpenEnd = answer.streamed && finish?.unified === 'other' && finish.raw === undefined;
  if (finish === undefined || finish.unified === 'error' || isOpenEnd) {
    throw unreadableAnswer(`${label} ended its answer without a reason to finish.`);
  }
  return {
    text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    finishReason: finishReasonOf(finish),
    usage: usageOf(answer, request),
    model: answer.modelId ?? request.model,
    ...(answer.id === undefined ? {} : { responseId: answer.id }),
    ...(answer.firstTokenMs === undefined ? {} : { firstTokenMs: answer.firstTokenMs }),
  };
}

/** The SDK says `content-filter` for refusals too; the provider's own word tells them apart. */
function finishReasonOf({ unified, raw }: SdkFinish): ModelFinishReason {
  switch (unified) {
    case 'stop':
    case 'length':
      return unified;
    case 'content-filter':
      return raw === 'content_filter' ? 'content_filter' : 'refusal';
    case 'tool-calls':
      return 'tool_calls';
    case 'error':
    case 'other':
      return 'other';
  }
}

/** What the provider counted; where it counted nothing, our own estimate, so that the budget still sees the call. */
function usageOf({ usage, text, toolCalls }: Answer, request: ModelRequest): ModelUsage {
  const { inputTokens, outputTokens } = usage ?? {};
  const cacheRead = inputTokens?.cacheRead ?? 0;
  const cacheWrite = inputTokens?.cacheWrite ?? 0;
  const reasoning = outputTokens?.reasoning ?? 0;
  return {
    input: inputTokens?.total ?? countInputTokens(request),
    output: outputTokens?.total ?? countTokens(text) + (toolCalls.length > 0 ? countToolCalls(toolCalls) : 0),
    ...(cacheRead > 0 ? { cacheRead } : {}),
    ...(cacheWrite > 0 ? { cacheWrite } : {}),
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}

import {
  defineModelProvider,
  type ModelCallContext,
  ModelCallError,
  type ModelMessage,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
} from '@pawl/tool-sdk';
import { cancelledCall, invalidModel } from './call-errors.ts';
import { answerRequest } from './sim/answer.ts';
import { finalRequest, nextToolCall } from './sim/call-tools.ts';
import { CallCounts, simFailure, simFailureOf } from './sim/failures.ts';
import { parseSimModel, type SimOptions } from './sim/options.ts';
import { hashText, randomFrom } from './sim/random.ts';
import { scriptedAnswer, withoutScript } from './sim/script.ts';
import { streamText, wait } from './sim/stream.ts';
import {
  countInputTokens,
  countTokens,
  countToolCalls,
  cutToTokens,
  wholeCodePointsUntil,
} from './tokens.ts';

// Rules kept here: an answer depends on the model's name, the seed and the request, never on the key, the clock or the
// process; a drawn failure depends on the key and the number of calls made with it, so that a retry may succeed;
// every answer says that it is simulated.

const SIM_PRICE = { inputNanoUsd: 100, outputNanoUsd: 400, version: 'sim-1' } as const;
const DEFAULT_MAX_OUTPUT_TOKENS = 2_048;
const REFUSAL = 'I cannot help with that. (simulated refusal)';

/** What the simulator needs from outside. */
export interface SimConfig {
  /** Milliseconds of a steady clock; default `performance.now`. */
  readonly now?: () => number;
  /** What makes the answers of `nonce=1` unique; default process id, steady clock and a counter. */
  readonly nextNonce?: () => string;
}

/**
 * The seeded simulator `sim:<name>[?option=value&…]`: extractive answers that obey the request's schema, without a
 * network and without global randomness. Options: docs/guide/models.md.
 */
export function createSimProvider(config: SimConfig = {}): ModelProvider {
  const now = config.now ?? (() => performance.now());
  const nextNonce = config.nextNonce ?? processNonces();
  const counts = new CallCounts();
  return defineModelProvider({
    specification: 1,
    name: 'sim',
    async call(request, context) {
      const options = parseSimModel(request.model);
      if (typeof options === 'string') throw invalidModel(options);
      try {
        return await simulate(request, context, options, { now, nextNonce, counts });
      } catch (error) {
        if (context.signal.aborted && !(error instanceof ModelCallError))
          throw cancelledCall(context.signal, true);
        throw error;
      }
    },
    estimate: (request) => ({
      inputTokens: countInputTokens(request),
      maxOutputTokens: request.parameters.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
    }),
    price: (model) => (typeof parseSimModel(model) === 'string' ? undefined : SIM_PRICE),
    check: (model) => {
      const options = parseSimModel(model);
      return typeof options === 'string' ? options : undefined;
    },
    models: () => ['writer'],
  });
}

interface Surroundings {
  readonly now: () => number;
  readonly nextNonce: () => string;
  readonly counts: CallCounts;
}

async function simulate(
  request: ModelRequest,
  context: ModelCallContext,
  options: SimOptions,
  { now, nextNonce, counts }: Surroundings,
): Promise<ModelResponse> {
  const { signal, onDelta } = context;
  if (signal.aborted) throw cancelledCall(signal, false);
  const startedAt = now();
  const identity = identityOf(request, options);
  const fate = randomFrom(
    `${identity}:${context.idempotencyKey}:${counts.next(context.idempotencyKey, options)}`,
  );
  const totalMs = options.latencyMs + options.jitterMs * fate();
  const failure = simFailureOf(options, counts.made(context.idempotencyKey), fate);
  if (failure !== undefined) {
    await wait(totalMs, signal);
    throw simFailure(options, failure);
  }
  const { text, toolCalls, finishReason } = answer(
    request,
    options,
    identity,
    options.nonce ? nextNonce() : undefined,
  );
  let firstTokenMs: number | undefined;
  await streamText(text, {
    totalMs,
    signal,
    ...(onDelta === undefined ? {} : { onDelta }),
    onFirst: () => {
      firstTokenMs = Math.round(now() - startedAt);
    },
  });
  return {
    text,
    ...(toolCalls && { toolCalls }),
    finishReason,
    usage: {
      input: countInputTokens(request),
      output: countTokens(text) + (toolCalls ? countToolCalls(toolCalls) : 0),
    },
    model: `sim-${options.name}`,
    responseId: `sim-${identity.slice(0, 16)}`,
    ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
    totalMs: Math.round(now() - startedAt),
    simulated: true,
  };
}

/** Names what an answer depends on. Options that only set time and failures are no part of it. */
function identityOf(request: ModelRequest, { name, seed }: SimOptions): string {
  const { messages, parameters, schema, tools } = request;
  const asked = [name, seed, messages, parameters, schema ?? null, ...(tools ? [tools] : [])];
  return hashText(JSON.stringify(asked));
}

function answer(
  request: ModelRequest,
  options: SimOptions,
  identity: string,
  nonce: string | undefined,
): Pick<ModelResponse, 'text' | 'toolCalls' | 'finishReason'> {
  const chance = randomFrom(`${identity}:chance`);
  if (chance() < options.refuseRate) return { text: REFUSAL, finishReason: 'refusal' };
  const scripted = scriptedAnswer(request);
  if (scripted && scripted.calls.length > 0)
    return { text: scripted.text, toolCalls: scripted.calls, finishReason: 'tool_calls' };
  const plain = { ...request, messages: request.messages.map(withoutRehearsal) };
  const call = scripted ? undefined : nextToolCall(plain, randomFrom(`${identity}:call`));
  if (call) return { text: '', toolCalls: [call], finishReason: 'tool_calls' };
  const whole = atStop(
    scripted?.text ?? answerRequest(finalRequest(plain), randomFrom(`${identity}:answer`), nonce),
    request.parameters.stop,
  );
  if (chance() < options.truncate) {
    return {
      text: whole.slice(0, wholeCodePointsUntil(whole, Math.ceil(whole.length / 2))),
      finishReason: 'length',
    };
  }
  const text = cutToTokens(whole, request.parameters.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS);
  return { text, finishReason: text.length < whole.length ? 'length' : 'stop' };
}

const withoutRehearsal = (message: ModelMessage): ModelMessage => ({
  ...message,
  content: withoutScript(message.content),
});

function atStop(text: string, stops: readonly string[] = []): string {
  const ends = stops.filter((stop) => stop !== '').map((stop) => text.indexOf(stop));
  const first = Math.min(...ends.filter((end) => end >= 0));
  return Number.isFinite(first) ? text.slice(0, first) : text;
}

function processNonces(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${process.pid}-${process.hrtime.bigint().toString(36)}-${count}`;
  };
}

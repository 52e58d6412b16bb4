import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type Failure,
  type Intent,
  type Json,
  type LlmNode,
  type ModelAnswer,
  type Spend,
} from '@pawl/dag-core';
import type { WatchedCall } from '@pawl/telemetry';
import {
  costOfEstimate,
  costOfUsage,
  type ModelCallError,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
} from '@pawl/tool-sdk';
import { parseStructured } from '../models/parse-structured.ts';
import { repairRequest } from '../models/repair-prompt.ts';
import type { EffectHost } from '../runtime/effect-host.ts';
import { effectKey } from '../runtime/effect-key.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { Done, EffectExecutor, Prepared, SendHost, Step } from '../runtime/step.ts';

type Failed = Extract<Done, { type: 'failed' }>;

/** Calls allowed to mend an answer that is not what was asked for, when the flow does not say. */
const DEFAULT_REPAIRS = 1;

/** K: one model call, and a bounded number of repair calls, each with an intent and a record of its own. */
export function llmExecutor(host: EffectHost): EffectExecutor {
  return {
    prepare: (step) => prepare(host, step),
    send: (step, prepared, send) => converse(host, step, prepared, send),
  };
}

const configOf = (step: Step): LlmNode => step.node.config as LlmNode;

async function prepare(host: EffectHost, step: Step): Promise<Prepared | Failed> {
  let clock: number | undefined;
  const onClock = (nowMs: number) => {
    clock ??= nowMs;
  };
  try {
    const { provider, model } = host.models.resolve(configOf(step).model);
    const messages = await Promise.all(
      step.compiled.messages!.map(async ({ role, content }) => ({
        role,
        content: String(await step.context.evaluate(step.handle.path, step.scopePath, content, { onClock })),
      })),
    );
    const { parameters, output } = configOf(step);
    const asked: ModelRequest = {
      model,
      messages,
      parameters: { ...parameters },
      ...(output?.schema !== undefined && { schema: output.schema as never }),
    };
    return {
      intent: intentOf(step, provider, bounded(provider, asked), 0),
      ...(clock !== undefined && { clock }),
    };
  } catch (error) {
    return { type: 'failed', failure: failureOfComputation(error) };
  }
}

/** A reservation is a bound only when the call itself is bounded (V6). */
function bounded(provider: ModelProvider, request: ModelRequest): ModelRequest {
  const { maxOutputTokens } = provider.estimate(request);
  return { ...request, parameters: { ...request.parameters, maxOutputTokens } };
}

function intentOf(step: Step, provider: ModelProvider, request: ModelRequest, call: number): Intent {
  const plain = JSON.parse(JSON.stringify(request)) as Json;
  return {
    call,
    effect: 'model',
    target: `${provider.name}:${request.model}`,
    key: effectKey(step.context.runId, step.handle.path, call),
    request: plain,
    requestHash: createHash('sha256').update(canonicalJson(plain)).digest('hex'),
    reserved: reservation(provider, request),
  };
}

function reservation(provider: ModelProvider, request: ModelRequest): Spend {
  const estimate = provider.estimate(request);
  const price = provider.price(request.model);
  return {
    costNanoUsd: price ? Math.ceil(costOfEstimate(price, estimate)) : 0,
    tokens: estimate.inputTokens + estimate.maxOutputTokens,
    modelCalls: 1,
  };
}

async function converse(host: EffectHost, step: Step, prepared: Prepared, send: SendHost): Promise<Done> {
  const { provider } = host.models.resolve(configOf(step).model);
  const { output } = configOf(step);
  const repairs = output?.schema === undefined ? 0 : (output.repairs ?? DEFAULT_REPAIRS);
  let { intent } = prepared;
  for (;;) {
    const { call } = intent;
    const request = intent.request as unknown as ModelRequest;
    let response: ModelResponse;
    const watching = host.watch(step, intent);
    const watched = watching && (await watching);
    try {
      response = await callModel(host, step, provider, intent, send, watched);
    } catch (error) {
      const failed = failedCall(error, call);
      watched?.ended({ error: failed.failure.code });
      return failed;
    }
    const answer = answerOf(provider, request, response);
    watched?.ended({ answer });
    const read = readAnswer(step, request, response);
    if ('output' in read) return { type: 'succeeded', call, answer, ...read };
    if (!read.isRepairable || call >= repairs) return { type: 'failed', failure: read.problem, call, answer };
    const next = intentOf(
      step,
      provider,
      bounded(provider, repairRequest(request, response.text, read.problem as never)),
      call + 1,
    );
    const by = { path: step.handle.path, attempt: step.handle.attempt, workerId: '' };
    const mayGoOn = await send.commit([
      { ...by, type: 'answered', call, answer, problem: read.problem },
      { ...by, type: 'intent', intent: next },
    ]);
    if (!mayGoOn) return { type: 'failed', failure: stopped(step.handle.path), call };
    intent = next;
  }
}

const stopped = (path: string): Failure => ({
  code: 'not_continued',
  message: `The repair call of ${path} was not made: the attempt may not go on.`,
  class: 'cancelled',
});

function callModel(
  host: EffectHost,
  step: Step,
  provider: ModelProvider,
  intent: Intent,
  send: SendHost,
  watched: WatchedCall | undefined,
): Promise<ModelResponse> {
  const request = intent.request as unknown as ModelRequest;
  return host.attempts.call(
    { runId: step.context.runId, timeoutMs: step.node.config.timeoutMs ?? host.modelTimeoutMs },
    (signal) => {
      const call = async () =>
        provider.call(request, { idempotencyKey: intent.key, signal, onDelta: send.delta });
      return watched ? watched.run(call) : call();
    },
    (late) => {
      if ('error' in late) return;
      const answer = answerOf(provider, request, late.value);
      host.late(step, { type: 'succeeded', output: late.value.text, call: intent.call, answer });
    },
  );
}

function failedCall(error: unknown, call: number): Failed {
  const known = error as Partial<ModelCallError> & { code?: string };
  if (known.name === 'AttemptAbort') {
    const isTimeout = known.code === 'timed_out';
    const failure: Failure = {
      code: known.code!,
      message: (error as Error).message,
      class: isTimeout ? 'timed_out' : 'cancelled',
    };
    return { type: 'failed', failure, call, isAmbiguous: true };
  }
  if (known.name !== 'ModelCallError')
    return { type: 'failed', failure: failureOfComputation(error), call, isAmbiguous: true };
  const { code, message, class: kind, retryAfterMs, detail, sent, status } = known as ModelCallError;
  const failure: Failure = {
    code,
    message,
    class: kind,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(detail !== undefined && { detail: detail as Json }),
  };
  // An HTTP answer says that the call was refused and is not billed; a broken connection leaves it open (a lost call).
  return { type: 'failed', failure, call, isAmbiguous: sent && status === undefined };
}

function answerOf(provider: ModelProvider, request: ModelRequest, response: ModelResponse): ModelAnswer {
  const price = provider.price(request.model);
  const { text, finishReason, usage, model, responseId, firstTokenMs, totalMs, simulated } = response;
  return {
    provider: provider.name,
    model,
    finishReason,
    text,
    usage,
    costNanoUsd: price ? Math.round(costOfUsage(price, usage)) : 0,
    prices: price?.version ?? 'unpriced',
    totalMs: Math.round(totalMs),
    ...(responseId !== undefined && { responseId }),
    ...(firstTokenMs !== undefined && { firstTokenMs: Math.round(firstTokenMs) }),
    ...(simulated && { simulated }),
  };
}

type Read = { output: Json; degraded?: string } | { problem: Failure; isRepairable: boolean };

function readAnswer(step: Step, request: ModelRequest, response: ModelResponse): Read {
  const { text, finishReason } = response;
  const { bigIntegers } = step.context.graph.document;
  if (request.schema !== undefined) {
    const parsed = parseStructured({
      text,
      finishReason,
      schema: request.schema,
      ...(bigIntegers && { bigIntegers }),
    });
    return parsed.ok
      ? { output: parsed.value as Json }
      : { problem: parsed.problem, isRepairable: parsed.repairable };
  }
  if (finishReason === 'refusal' || finishReason === 'content_filter') {
    const code = finishReason === 'refusal' ? 'output_refused' : 'output_filtered';
    const message = `The model did not answer ${step.handle.path} (${finishReason}). Change the prompt or the model.`;
    return { problem: { code, message, class: 'permanent' }, isRepairable: false };
  }
  return finishReason === 'length'
    ? { output: text, degraded: 'the answer was cut at maxOutputTokens' }
    : { output: text };
}

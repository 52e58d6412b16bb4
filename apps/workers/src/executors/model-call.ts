import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type Failure,
  type Intent,
  type Json,
  type ModelAnswer,
  type Spend,
  type ToolCallFate,
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
import { repairRequest } from '../models/repair-prompt.ts';
import type { EffectHost } from '../runtime/effect-host.ts';
import { effectKey } from '../runtime/effect-key.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { Done, SendHost, Step } from '../runtime/step.ts';

// Rules kept here: V1 each call has an intent and a record of its own, repair calls included; V6 what is reserved is a bound.

type Failed = Extract<Done, { type: 'failed' }>;

/** What an answer gave, or what is wrong with it. */
export type ReadAnswer =
  | { readonly output: Json; readonly degraded?: string; readonly calls?: ToolCallFate[] }
  | { readonly problem: Failure; readonly isRepairable: boolean };

/** A model call with its repair calls. */
export interface Conversation {
  readonly provider: ModelProvider;
  /** The first call, whose intent is committed. */
  readonly intent: Intent;
  readonly request: ModelRequest;
  /** Calls allowed to mend an answer. */
  readonly repairs: number;
  /** What is recorded of a repair call's request. */
  recorded(request: ModelRequest, call: number): Json;
  read(request: ModelRequest, response: ModelResponse): ReadAnswer;
}

/** A reservation is a bound only when the call itself is bounded (V6). */
export function bounded(provider: ModelProvider, request: ModelRequest): ModelRequest {
  const { maxOutputTokens } = provider.estimate(request);
  return { ...request, parameters: { ...request.parameters, maxOutputTokens } };
}

/** A value as the journal keeps it. */
export const plainJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** The intent of a model call; the hash is that of what is sent, also where less than that is recorded. */
export function modelIntent(
  step: Step,
  provider: ModelProvider,
  request: ModelRequest,
  call: number,
  recorded: Json,
): Intent {
  return {
    call,
    effect: 'model',
    target: `${provider.name}:${request.model}`,
    key: effectKey(step.context.runId, step.handle.path, call, step.handle.more?.edited),
    request: recorded,
    requestHash: createHash('sha256')
      .update(canonicalJson(plainJson(request)))
      .digest('hex'),
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

/** Calls the model, and again with what is wrong named, while an answer can be mended and repair calls are left. */
export async function converse(
  host: EffectHost,
  step: Step,
  conversation: Conversation,
  send: SendHost,
): Promise<Done> {
  const { provider, repairs } = conversation;
  let { intent, request } = conversation;
  for (;;) {
    const { call } = intent;
    let response: ModelResponse;
    const watching = host.watch(step, intent);
    const watched = watching && (await watching);
    try {
      response = await callModel(host, step, provider, { intent, request, watched }, send);
    } catch (error) {
      const failed = failedCall(error, call);
      watched?.ended({ error: failed.failure.code });
      return failed;
    }
    const answer = answerOf(provider, request, response);
    watched?.ended({ answer });
    const read = conversation.read(request, response);
    if ('output' in read) return { type: 'succeeded', call, answer, ...read };
    if (!read.isRepairable || call >= repairs) return { type: 'failed', failure: read.problem, call, answer };
    request = bounded(provider, repairRequest(request, response.text, read.problem as never));
    intent = modelIntent(step, provider, request, call + 1, conversation.recorded(request, call + 1));
    const by = { path: step.handle.path, attempt: step.handle.attempt, workerId: '' };
    const mayGoOn = await send.commit([
      { ...by, type: 'answered', call, answer, problem: read.problem },
      { ...by, type: 'intent', intent },
    ]);
    if (!mayGoOn) return { type: 'failed', failure: stopped(step.handle.path), call };
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
  {
    intent,
    request,
    watched,
  }: Pick<Conversation, 'intent' | 'request'> & { watched: WatchedCall | undefined },
  send: SendHost,
): Promise<ModelResponse> {
  return host.attempts.call(
    { runId: step.context.runId, timeoutMs: step.node.config.timeoutMs ?? host.modelTimeoutMs },
    (signal) => {
      const call = async () =>
        provider.call(request, {
          idempotencyKey: intent.key,
          signal,
          onDelta: send.delta,
          credential: (name) => host.credential(step.context.workspaceId, name),
        });
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
  const { text, toolCalls, finishReason, usage, model, responseId, firstTokenMs, totalMs, simulated } =
    response;
  return {
    provider: provider.name,
    model,
    finishReason,
    text,
    ...(toolCalls && toolCalls.length > 0 && { toolCalls }),
    usage,
    costNanoUsd: price ? Math.round(costOfUsage(price, usage)) : 0,
    prices: price?.version ?? 'unpriced',
    totalMs: Math.round(totalMs),
    ...(responseId !== undefined && { responseId }),
    ...(firstTokenMs !== undefined && { firstTokenMs: Math.round(firstTokenMs) }),
    ...(simulated && { simulated }),
  };
}

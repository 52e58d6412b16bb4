import type { Attributes } from '@opentelemetry/api';
import type { Intent, JsonObject, ModelAnswer } from '@pawl/dag-core';
import type { RunOrigin } from '@pawl/run-store/work';

// Names of attributes: `gen_ai.*`, `error.type` and `http.*` are those of OpenTelemetry's semantic conventions (GenAI as of 1.41),
// `pawl.*` are our own. No inputs, outputs, prompts, answers or arguments: those are in the journal, which knows who may read it.

export const runAttributes = ({ runId, flow, mode }: RunOrigin): Attributes => ({
  'pawl.run.id': runId,
  'pawl.flow.name': flow,
  'pawl.run.mode': mode,
});

export const nodeRunAttributes = (about: { path: string; nodeId: string; kind: string }): Attributes => ({
  'pawl.node.path': about.path,
  'pawl.node.id': about.nodeId,
  'pawl.node.kind': about.kind,
});

/** An agent as a whole. */
export const agentAttributes = (name: string): Attributes => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': name,
});

/** What a model is asked for, without what it is told. */
export function modelRequestAttributes(intent: Intent): Attributes {
  const { parameters = {}, schema } = intent.request as JsonObject;
  const colon = intent.target.indexOf(':');
  const { maxOutputTokens, temperature, topP, seed, stop } = parameters as JsonObject;
  return present({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': intent.target.slice(0, colon),
    'gen_ai.request.model': intent.target.slice(colon + 1),
    'gen_ai.request.max_tokens': maxOutputTokens,
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.top_p': topP,
    'gen_ai.request.seed': seed,
    'gen_ai.request.stop_sequences': stop,
    'gen_ai.output.type': schema === undefined ? 'text' : 'json',
    'pawl.call': intent.call,
  });
}

/** What a model's answer cost and how it ended, without what it says. */
export function modelAnswerAttributes(answer: ModelAnswer): Attributes {
  const { usage } = answer;
  return present({
    'gen_ai.response.model': answer.model,
    'gen_ai.response.id': answer.responseId,
    'gen_ai.response.finish_reasons': [answer.finishReason],
    'gen_ai.usage.input_tokens': usage.input,
    'gen_ai.usage.output_tokens': usage.output,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoning,
    'pawl.cost_usd': answer.costNanoUsd / 1e9,
    'pawl.first_token_ms': answer.firstTokenMs,
    'pawl.simulated': answer.simulated,
  });
}

/** @param key the idempotency key, which names run, path and call (V4) */
export function toolCallAttributes(ref: string, effect: string, key: string): Attributes {
  const at = ref.lastIndexOf('@');
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': ref.slice(0, at),
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': key,
    'pawl.tool.version': ref.slice(at + 1),
    'pawl.effect.class': effect,
  };
}

/** Attributes that have a value. */
const present = (all: Readonly<Record<string, unknown>>): Attributes =>
  Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && value !== null),
  ) as Attributes;

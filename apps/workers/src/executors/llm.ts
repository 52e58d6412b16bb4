import type { Json, LlmNode } from '@pawl/dag-core';
import type { ModelRequest, ModelResponse } from '@pawl/tool-sdk';
import { parseStructured } from '../models/parse-structured.ts';
import type { EffectHost } from '../runtime/effect-host.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { Done, EffectExecutor, Lacks, Prepared, Step } from '../runtime/step.ts';
import { lackOfModel } from './at-hand.ts';
import { bounded, converse, modelIntent, plainJson, type ReadAnswer } from './model-call.ts';

/** Calls allowed to mend an answer that is not what was asked for, when the flow does not say. */
const DEFAULT_REPAIRS = 1;

/** K: one model call, and a bounded number of repair calls, each with an intent and a record of its own. */
export function llmExecutor(host: EffectHost): EffectExecutor {
  return {
    prepare: (step) => prepare(host, step),
    send: (step, { intent }, send) =>
      converse(
        host,
        step,
        {
          provider: host.models.resolve(modelNodeOf(step).model).provider,
          intent,
          request: intent.request as unknown as ModelRequest,
          repairs: repairsOf(step),
          recorded: plainJson,
          read: (request, response) => readAnswer(step, request, response),
        },
        send,
      ),
  };
}

/** The configuration of a model call. */
export const modelNodeOf = (step: Step): LlmNode => step.node.config as LlmNode;

export function repairsOf(step: Step): number {
  const { output } = modelNodeOf(step);
  return output?.schema === undefined ? 0 : (output.repairs ?? DEFAULT_REPAIRS);
}

async function prepare(
  host: EffectHost,
  step: Step,
): Promise<Prepared | Lacks | Extract<Done, { type: 'failed' }>> {
  const lack = lackOfModel(host, modelNodeOf(step).model);
  if (lack) return lack;
  try {
    const { provider } = host.models.resolve(modelNodeOf(step).model);
    const { request, clock } = await renderRequest(host, step);
    const intent = modelIntent(step, provider, request, 0, plainJson(request));
    return { intent, ...(clock !== undefined && { clock }) };
  } catch (error) {
    return { type: 'failed', failure: failureOfComputation(error) };
  }
}

/** What a person wrote for a model to be asked (T19). */
type EditedPrompt = Pick<ModelRequest, 'messages'>;

/** What the flow asks the model, or a person in its place: the prompt rendered, and bounded. */
export async function renderRequest(
  host: EffectHost,
  step: Step,
): Promise<{ readonly request: ModelRequest; readonly clock?: number }> {
  let clock: number | undefined;
  const onClock = (nowMs: number) => {
    clock ??= nowMs;
  };
  const { model: id, parameters, output } = modelNodeOf(step);
  const { provider, model } = host.models.resolve(id);
  const edited = (await host.editedArguments(step)) as EditedPrompt | undefined;
  const messages =
    edited?.messages ??
    (await Promise.all(
      step.compiled.messages!.map(async ({ role, content }) => ({
        role,
        content: String(await step.context.evaluate(step.handle.path, step.scopePath, content, { onClock })),
      })),
    ));
  const asked: ModelRequest = {
    model,
    messages,
    parameters: { ...parameters },
    ...(output?.schema !== undefined && { schema: output.schema as never }),
  };
  return { request: bounded(provider, asked), ...(clock !== undefined && { clock }) };
}

/** The text or the value that was asked for, or what is wrong with the answer. */
export function readAnswer(step: Step, request: ModelRequest, response: ModelResponse): ReadAnswer {
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

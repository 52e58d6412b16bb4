import { type AgentNode, callNameOf, fatesOf, messagesOfTurns } from '@pawl/dag-core';
import type { ModelRequest, ModelResponse } from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { Done, EffectExecutor, Lacks, Prepared, Step } from '../runtime/step.ts';
import { lackOfOffer, offeredTools } from './agent-offer.ts';
import { modelPathOf, recordedTurns } from './agent-turns.ts';
import { lackOfModel } from './at-hand.ts';
import { modelNodeOf, readAnswer, renderRequest, repairsOf } from './llm.ts';
import { converse, modelIntent, plainJson, type ReadAnswer } from './model-call.ts';

// What is sent in a turn is the first request and what the turns before added (K19). The journal holds the first request whole,
// and of the others what they continue and how many turns: every part of a conversation is recorded once (J3).

/** K: the model call of one turn of an agent. */
export function agentModelExecutor(host: EffectHost): EffectExecutor {
  return {
    prepare: (step) => prepare(host, step),
    send(step, { intent, sent }, send) {
      const request = sent!;
      const { turn } = step.agent!;
      if (turn === 0) step.context.requested(step.handle.path, request);
      return converse(
        host,
        step,
        {
          provider: host.models.resolve(modelNodeOf(step).model).provider,
          intent,
          request,
          repairs: repairsOf(step),
          recorded: (_repair, call) => recorded(step, request, call),
          read: (asked, response) => readTurn(step, asked, response),
        },
        send,
      );
    },
  };
}

async function prepare(
  host: EffectHost,
  step: Step,
): Promise<Prepared | Lacks | Extract<Done, { type: 'failed' }>> {
  const lack = lackOfModel(host, modelNodeOf(step).model) ?? lackOfTurn(host, step);
  if (lack) return lack;
  try {
    const { provider } = host.models.resolve(modelNodeOf(step).model);
    const { sent, clock } = await conversationOf(host, step);
    const intent = modelIntent(step, provider, sent, 0, recorded(step, sent, 0));
    return { intent, sent, ...(clock !== undefined && { clock }) };
  } catch (error) {
    return { type: 'failed', failure: failureOfComputation(error) };
  }
}

/** The first turn writes down what the tools are like; the others read it. */
const lackOfTurn = (host: EffectHost, { agent }: Step) =>
  agent!.turn === 0 ? lackOfOffer(host, agent!.node.config as AgentNode) : undefined;

async function conversationOf(
  host: EffectHost,
  step: Step,
): Promise<{ readonly sent: ModelRequest; readonly clock?: number }> {
  const { node, path, turn } = step.agent!;
  if (turn === 0) {
    // What an earlier attempt was about to send is sent again, so that the conversation is the same whoever began it.
    const earlier = await host.earlierIntent(step);
    if (earlier) return { sent: firstOf(earlier.request) };
    const { request, clock } = await renderRequest(host, step);
    const tools = offeredTools(host, node.config as AgentNode);
    return { sent: { ...request, tools }, ...(clock !== undefined && { clock }) };
  }
  const first = await firstRequest(host, step);
  const turns = await recordedTurns(step.context, node, path, turn);
  return { sent: { ...first, messages: [...first.messages, ...messagesOfTurns(turns)] } };
}

async function firstRequest(host: EffectHost, step: Step): Promise<ModelRequest> {
  const { node, path } = step.agent!;
  const from = modelPathOf(node, path, 0);
  const known = step.context.request(from);
  if (known) return known;
  const { intent } = await host.completedEffect(step, from);
  const first = firstOf(intent.request);
  step.context.requested(from, first);
  return first;
}

/** The first request of an agent, from what is recorded of it or of a call that mends its answer. */
function firstOf(request: unknown): ModelRequest {
  const { repairs: _repairs, ...first } = request as ModelRequest & { repairs?: number };
  return first;
}

function recorded(step: Step, sent: ModelRequest, repairs: number) {
  const { node, path, turn } = step.agent!;
  const mended = repairs > 0 && { repairs };
  return turn === 0
    ? plainJson({ ...sent, ...mended })
    : { continues: modelPathOf(node, path, 0), turns: turn, ...mended };
}

/** An answer that asks for calls is good as it is; one that does not is the agent's last word. */
function readTurn(step: Step, request: ModelRequest, response: ModelResponse): ReadAnswer {
  const { toolCalls = [], text } = response;
  if (toolCalls.length > 0) {
    const names = (step.agent!.node.config as AgentNode).tools.map(callNameOf);
    return { output: text, calls: fatesOf(toolCalls, names) };
  }
  const read = readAnswer(step, request, response);
  return 'output' in read ? { ...read, calls: [] } : read;
}

import {
  type AgentCall,
  type AgentNode,
  approvalRuleOf,
  callNameOf,
  type Failure,
  type Json,
  type JsonObject,
} from '@pawl/dag-core';
import { cutText, type Tool } from '@pawl/tool-sdk';
import { type CompiledApproval, compiledFlow } from '../runtime/compiled-flow.ts';
import type { EffectHost } from '../runtime/effect-host.ts';
import type { Done, Step } from '../runtime/step.ts';
import { openArguments } from './agent-offer.ts';
import { modelPathOf } from './agent-turns.ts';
import { asking } from './approval.ts';
import { isTrue } from './truth.ts';

// Rules kept here: K20 a person allows a call before anything of it is sent, and what they allowed is what is sent.

/** Longest piece of what the model said that a person is shown, in UTF-16 units. */
const LONGEST_QUOTE = 2_000;

/** What a person said about a call; undefined when nobody was asked yet. */
export async function permissionOf(
  host: EffectHost,
  step: Step,
): Promise<{ readonly written: JsonObject } | { readonly failure: Failure } | undefined> {
  if (step.handle.more?.answer === undefined) return undefined;
  const { question, answer } = await host.answerOf(step);
  const { decision, by, reason, values } = answer.data;
  if (decision === 'approved') return { written: (values ?? question.values ?? {}) as JsonObject };
  const who = by === 'deadline' ? 'Nobody allowed this call in time' : `${by} did not allow this call`;
  return {
    failure: {
      code: 'call_rejected',
      message: `${who}${reason === undefined ? '.' : `: ${reason}`}`,
      class: 'permanent',
    },
  };
}

/** The question whether a call may be made; undefined when nobody need be asked. */
export async function permissionWanted(
  step: Step,
  tool: Tool,
  { written, args }: { readonly written: JsonObject; readonly args: Json },
): Promise<Extract<Done, { type: 'asks' }> | undefined> {
  const { node } = step.agent!;
  const compiled = compiledFlow(step.context.graph).node(node).approvals?.get(step.node.id);
  if (!compiled || step.handle.more?.answer !== undefined) return undefined;
  let clock: number | undefined;
  const onClock = (nowMs: number) => {
    clock ??= nowMs;
  };
  if (!(await asks(step, compiled, args, onClock))) return undefined;
  const offered = (node.config as AgentNode).tools.find(
    (each) => callNameOf(each) === step.node.id,
  ) as AgentCall;
  const { who, onDeadline } = approvalRuleOf(offered)!;
  const deadline =
    compiled.deadline &&
    (await step.context.evaluate(step.handle.path, step.scopePath, compiled.deadline, { onClock }));
  const shown = {
    subject: cutText(`Call ${tool.ref}?`, 1_000),
    details: await detailsOf(step, tool, { written, args }),
    form: openArguments(tool, offered),
    values: written,
  };
  return asking(step.handle.path, {
    kind: 'tool',
    shown,
    rest: { ...(who && { who }), ...(onDeadline && { onDeadline }) },
    deadline,
    clock,
  }) as Extract<Done, { type: 'asks' }>;
}

/** An expression that gives nothing asks: what it looked for is not there, and that is no permission. */
async function asks(
  step: Step,
  { when }: CompiledApproval,
  args: Json,
  onClock: (nowMs: number) => void,
): Promise<boolean> {
  try {
    const options = { roots: { args }, onClock };
    return isTrue(await step.context.evaluate(`${step.handle.path}#approve`, step.scopePath, when, options));
  } catch (error) {
    if ((error as { code?: string }).code === 'expression_empty') return true;
    throw error;
  }
}

async function detailsOf(
  { context, agent, node }: Step,
  tool: Tool,
  { written, args }: { readonly written: JsonObject; readonly args: Json },
): Promise<string> {
  const { path, turn } = agent!;
  const { asked } = await context.view(modelPathOf(agent!.node, path, turn));
  const given = Object.entries(args as JsonObject).filter(([name, value]) => written[name] !== value);
  const said = asked?.answer.text.trim() ?? '';
  return [
    `The model of ${path} wants to call ${node.id} (${tool.ref}, ${tool.effect.replace('_', '-')}) in turn ${turn}.`,
    ...(tool.description === '' ? [] : [tool.description]),
    ...(given.length === 0 ? [] : [`Given by the flow: ${JSON.stringify(Object.fromEntries(given))}`]),
    ...(said === '' ? [] : [`It said: ${cutText(said, LONGEST_QUOTE)}`]),
  ].join('\n');
}

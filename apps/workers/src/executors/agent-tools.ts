import {
  type AgentNode,
  type AgentTool,
  callNameOf,
  type Failure,
  type Json,
  type JsonObject,
  readArguments,
} from '@pawl/dag-core';
import { cutText, type ModelTool, PermanentError, type Tool } from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';
import { secretNames } from '../runtime/secret-references.ts';
import type { Step } from '../runtime/step.ts';
import { modelPathOf } from './agent-turns.ts';
import { toolNamed } from './tool-named.ts';

/** Longest description that a model is given, in UTF-16 units. */
const LONGEST_DESCRIPTION = 4_000;

/** The tools of an agent as its model is offered them: without the arguments that the flow gives. */
export const offeredTools = (host: EffectHost, agent: AgentNode): ModelTool[] =>
  agent.tools.map((offered) => {
    const tool = toolNamed(host, offered.tool);
    if (!('ref' in tool)) throw new ToolMissingError(tool);
    const description = offered.description ?? tool.description;
    return {
      name: callNameOf(offered),
      ...(description !== '' && { description: cutText(description, LONGEST_DESCRIPTION) }),
      schema: openArguments(tool, offered),
    };
  });

/** Thrown when this worker does not have a tool of an agent; another one may. */
class ToolMissingError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The schema of a tool's arguments without those that the flow gives. */
function openArguments({ inputSchema }: Tool, { args }: AgentTool): JsonObject {
  const { $schema: _, ...schema } =
    typeof inputSchema === 'boolean' ? ({} as JsonObject) : (inputSchema as JsonObject);
  const given = Object.keys((args ?? {}) as JsonObject);
  const properties = Object.entries((schema.properties ?? {}) as JsonObject).filter(
    ([name]) => !given.includes(name),
  );
  const required = ((schema.required ?? []) as string[]).filter((name) => !given.includes(name));
  const { required: _required, ...rest } = schema;
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

/** What a call of an agent's tool is made with: what the model wrote, and over it what the flow gives. */
export type CallArguments = { readonly args: Json } | { readonly failure: Failure };

/** @param given what the flow gives, with references where secrets stand */
export async function callArguments(step: Step, given: Json): Promise<CallArguments> {
  const { node, path, turn, call } = step.agent!;
  const { asked } = await step.context.view(modelPathOf(node, path, turn));
  const written = asked?.answer.toolCalls?.[call!];
  if (!written) {
    const message = `The journal holds no call ${call} of ${path}.`;
    throw new PermanentError({ code: 'call_not_found', message });
  }
  const read = readArguments(written.arguments, step.context.graph.document.bigIntegers);
  if ('failure' in read) return read;
  if (secretNames(read.args).length > 0) return { failure: FORGED };
  return { args: { ...read.args, ...(given as JsonObject) } };
}

/** A model must not name secrets: what it wrote may come from anybody whose text it read (V13). */
const FORGED: Failure = {
  code: 'secret_not_allowed',
  message: 'Arguments may not refer to secrets.',
  class: 'permanent',
};

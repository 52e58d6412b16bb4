import {
  type AgentCall,
  type AgentNode,
  type AgentQuestion,
  callNameOf,
  type JsonObject,
} from '@pawl/dag-core';
import { cutText, type ModelTool, type Tool } from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';
import type { Lacks } from '../runtime/step.ts';
import { toolAtHand } from './at-hand.ts';

/** Longest description that a model is given, in UTF-16 units. */
const LONGEST_DESCRIPTION = 4_000;

/** What an agent offers its model: tools without the arguments that the flow gives, and people to ask. */
export const offeredTools = (host: EffectHost, agent: AgentNode): ModelTool[] =>
  agent.tools.map((offered) => ('ask' in offered ? offeredQuestion(offered) : offeredCall(host, offered)));

/** The first tool of an agent that this worker does not have. */
export function lackOfOffer(host: EffectHost, agent: AgentNode): Lacks | undefined {
  for (const offered of agent.tools) {
    const found = 'ask' in offered ? undefined : toolAtHand(host, offered.tool);
    if (found && !('ref' in found)) return found;
  }
  return undefined;
}

function offeredCall({ tools }: EffectHost, offered: AgentCall): ModelTool {
  const tool = tools.require(offered.tool);
  const description = offered.description ?? tool.description;
  return {
    name: callNameOf(offered),
    ...(description !== '' && { description: cutText(description, LONGEST_DESCRIPTION) }),
    schema: openArguments(tool, offered),
  };
}

const offeredQuestion = (offered: AgentQuestion): ModelTool => ({
  name: callNameOf(offered),
  description:
    offered.description ?? 'Asks a person and waits for the answer. Use it when only a person can know.',
  schema: {
    type: 'object',
    required: ['question'],
    properties: {
      question: { type: 'string', description: 'one line' },
      details: { type: 'string', description: 'what the person needs to know to answer' },
    },
    additionalProperties: false,
  },
});

/** The schema of a tool's arguments without those that the flow gives. */
export function openArguments({ inputSchema }: Tool, { args }: AgentCall): JsonObject {
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

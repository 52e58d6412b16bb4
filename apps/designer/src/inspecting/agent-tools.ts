import { type AgentTool, callNameOf, type Json, type JsonObject } from '@pawl/dag-core';
import { isObject } from './members.ts';

/** What an entry among the tools of an agent is, as the core reads it (K18); `unknown`: neither a tool nor a question. */
export type AgentToolIs = 'call' | 'question' | 'unknown';

export function agentToolIs(entry: Json): AgentToolIs {
  if (!isObject(entry)) return 'unknown';
  if ('ask' in entry) return 'question';
  return typeof entry.tool === 'string' ? 'call' : 'unknown';
}

/** Members that each of them has a row for. `ask` has none: there is nothing to choose. */
export const AGENT_TOOL_ROWS = {
  call: ['tool', 'name', 'description', 'args', 'approve', 'onError', 'retry', 'timeoutMs'],
  question: ['name', 'description', 'form', 'who', 'deadline', 'onDeadline'],
  unknown: [],
} as const satisfies Record<AgentToolIs, readonly string[]>;

/** Members of an entry that no row shows. */
export function otherMembers(entry: Json): string[] {
  const is = agentToolIs(entry);
  if (!isObject(entry) || is === 'unknown') return [];
  const shown: readonly string[] =
    is === 'question' ? ['ask', ...AGENT_TOOL_ROWS.question] : AGENT_TOOL_ROWS.call;
  return Object.keys(entry).filter((name) => !shown.includes(name));
}

/** What the model calls an entry; undefined: it is none that can be called. */
export const modelsNameOf = (entry: Json): string | undefined =>
  agentToolIs(entry) === 'unknown' ? undefined : callNameOf(entry as unknown as AgentTool);

/** A tool, or a person, as one more among others: with a name of its own where the usual one is taken. */
export function newAgentTool(
  others: readonly Json[],
  entry: { tool: string } | { ask: 'person' },
): JsonObject {
  const taken = new Set(others.map(modelsNameOf));
  const usual = callNameOf(entry);
  if (!taken.has(usual)) return entry;
  let number = 2;
  while (taken.has(nameWith(usual, number))) number += 1;
  return { ...entry, name: nameWith(usual, number) };
}

/** Most characters of a name that a model may call. */
const LONGEST_NAME = 64;

const nameWith = (usual: string, number: number): string =>
  `${usual.slice(0, LONGEST_NAME - `_${number}`.length)}_${number}`;

import type { ModelRequest, ModelToolCall } from '@pawl/tool-sdk';

// A rehearsal: a prompt may hold, in a code fence marked `sim`, what the simulator is to answer turn by turn, as JSON:
// ```sim
// [{ "calls": [{ "name": "find", "args": { "email": "a@b.c" } }] }, { "say": "Done." }]
// ```
// The turn is the number of answers in the conversation. After the last one the simulator answers by itself.

/** One answer of a rehearsal. */
export interface ScriptedAnswer {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
}

interface WrittenTurn {
  readonly say?: unknown;
  readonly calls?: readonly WrittenCall[];
}

interface WrittenCall {
  readonly name: string;
  /** JSON, or a text that is taken for the arguments as it is. */
  readonly args?: unknown;
  readonly id?: string;
}

const FENCE = /```sim\s*\n([\s\S]*?)\n\s*```/;

/** What the prompt tells the simulator to answer next; undefined when it tells nothing. */
export function scriptedAnswer({ messages }: ModelRequest): ScriptedAnswer | undefined {
  const turns = messages
    .filter(({ role }) => role === 'system' || role === 'user')
    .map(({ content }) => turnsIn(content))
    .find((found) => found !== undefined);
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  const next = turns?.[turn];
  if (next === undefined) return undefined;
  const calls = Array.isArray(next.calls) ? next.calls : [];
  return {
    text: typeof next.say === 'string' ? next.say : next.say === undefined ? '' : JSON.stringify(next.say),
    calls: calls.map(({ name, args, id }, at) => ({
      id: id ?? `sim_${turn}_${at}`,
      name: String(name),
      arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
    })),
  };
}

/** The prompt without its rehearsal, so that the simulator does not take it for material. */
export const withoutScript = (text: string): string => text.replace(FENCE, '');

function turnsIn(text: string): readonly WrittenTurn[] | undefined {
  const written = FENCE.exec(text)?.[1];
  if (written === undefined) return undefined;
  try {
    const turns: unknown = JSON.parse(written);
    return Array.isArray(turns) ? turns : undefined;
  } catch {
    return undefined;
  }
}

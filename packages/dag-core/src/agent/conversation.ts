import type { NodeView } from '../expression/index.ts';
import type { Failure, ToolCall, ToolCallFate } from '../journal/events.ts';
import type { Json, JsonObject } from '../json.ts';
import { readArguments } from './read-arguments.ts';

// Rules kept here: K19 the conversation of an agent follows from what is recorded, so every worker and every attempt builds the
// same one; J3 it is not recorded again.

/** One turn of an agent, as it was recorded. */
export interface RecordedTurn {
  readonly answer: { readonly text: string; readonly toolCalls?: readonly ToolCall[] };
  /** What became of each of the tool calls. */
  readonly fates: readonly ToolCallFate[];
  /** How the node runs of the calls ended, by their part of the path. */
  readonly results: ReadonlyMap<string, NodeView>;
}

/** A message that a turn adds to the conversation. */
export type TurnMessage =
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | {
      readonly role: 'tool';
      readonly content: string;
      readonly callId: string;
      readonly name: string;
      readonly isError?: true;
    };

/** Longest result that a model is shown, in UTF-16 units; the whole is in the journal. */
const LONGEST_RESULT = 50_000;

/** The messages that these turns add, in order: each answer, and what became of each of its calls. */
export function messagesOfTurns(turns: readonly RecordedTurn[]): TurnMessage[] {
  const taken = new Set<string>();
  return turns.flatMap((turn, number): TurnMessage[] => {
    const calls = (turn.answer.toolCalls ?? []).map((call, place) => {
      // Providers match results by id; some repeat theirs from turn to turn, or give none.
      const id = call.id === '' || taken.has(call.id) ? `${call.id || 'call'}_${number}_${place}` : call.id;
      taken.add(id);
      return { ...call, id };
    });
    return [
      { role: 'assistant', content: turn.answer.text, ...(calls.length > 0 && { toolCalls: calls }) },
      ...calls.map(({ id, name }, place) => resultMessage(id, name, turn, place)),
    ];
  });
}

function resultMessage(callId: string, name: string, turn: RecordedTurn, place: number): TurnMessage {
  const result = resultOf(turn, place);
  const content =
    'failure' in result
      ? JSON.stringify({ error: { code: result.failure.code, message: result.failure.message } })
      : typeof result.output === 'string'
        ? result.output
        : JSON.stringify(result.output);
  return {
    role: 'tool',
    callId,
    name,
    content: shortened(content),
    ...('failure' in result && { isError: true as const }),
  };
}

function shortened(text: string): string {
  if (text.length <= LONGEST_RESULT) return text;
  const end = /[\ud800-\udbff]/.test(text[LONGEST_RESULT - 1]!) ? LONGEST_RESULT - 1 : LONGEST_RESULT;
  return `${text.slice(0, end)}\n(cut: the first ${end} of ${text.length} characters)`;
}

type CallResult = { readonly output: Json } | { readonly failure: Pick<Failure, 'code' | 'message'> };

function resultOf({ fates, results }: RecordedTurn, place: number): CallResult {
  const fate = fates[place];
  if (!fate) return { failure: { code: 'not_called', message: 'This call was not made.' } };
  if ('refused' in fate) return { failure: fate.refused };
  const view = results.get(fate.run);
  if (view?.status === 'succeeded') return { output: view.output ?? null };
  if (view?.status === 'skipped')
    return { failure: { code: 'skipped', message: 'A person skipped this call; nothing is known of it.' } };
  return {
    failure: (view?.failure as Failure | undefined) ?? { code: 'not_called', message: 'It did not end.' },
  };
}

/** What `turn` is to expressions: `text`, `index`, and `calls` with `name`, `args`, and `result` or `failure`. */
export function turnValue(turn: RecordedTurn, index: number, bigIntegers?: 'refuse' | 'strings'): JsonObject {
  const calls = (turn.answer.toolCalls ?? []).map(({ name, arguments: text }, place): JsonObject => {
    const read = readArguments(text, bigIntegers);
    const result = resultOf(turn, place);
    return {
      name,
      args: 'args' in read ? read.args : null,
      ...('failure' in result
        ? { failure: { code: result.failure.code, message: result.failure.message } }
        : { result: result.output }),
    };
  });
  return { index, text: turn.answer.text, calls };
}

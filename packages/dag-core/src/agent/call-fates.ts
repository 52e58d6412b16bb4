import type { Failure, ToolCall, ToolCallFate } from '../journal/events.ts';
import { MAX_CALLS_PER_TURN } from '../kinds/index.ts';

/**
 * What becomes of the calls that a model asked for in one turn (K19): each is a node run `<name>-<place>`, or is refused with a
 * sentence for the model. Nothing that is refused is ever sent.
 *
 * @param names what the tools are called
 */
export function fatesOf(calls: readonly ToolCall[], names: readonly string[]): ToolCallFate[] {
  const seen = new Set<string>();
  return calls.map(({ id, name }, place): ToolCallFate => {
    if (place >= MAX_CALLS_PER_TURN)
      return refused(
        'too_many_calls',
        `One turn may hold ${MAX_CALLS_PER_TURN} calls; ask again in the next.`,
      );
    if (id !== '' && seen.has(id))
      return refused(
        'call_id_repeated',
        `Another call of this turn has the id "${id}", so this one was not made.`,
      );
    seen.add(id);
    if (!names.includes(name))
      return refused('tool_unknown', `There is no tool "${name}"; there are ${names.join(', ')}.`);
    return { run: `${name}-${place}` };
  });
}

const refused = (code: string, message: string): { readonly refused: Failure } => ({
  refused: { code, message, class: 'permanent' },
});

import { parseJson } from '../canonical/parse-json.ts';
import type { Failure } from '../journal/events.ts';
import type { JsonObject } from '../json.ts';

/** Arguments of a tool call, or what is wrong with them: the model is told. */
export type ReadArguments = { readonly args: JsonObject } | { readonly failure: Failure };

/** Longest piece of unusable arguments that the model is shown again, in UTF-16 units. */
const LONGEST_QUOTE = 200;

/** Reads what a model wrote as arguments (K19): nothing and null are no arguments; what is no JSON object is refused. */
export function readArguments(text: string, bigIntegers: 'refuse' | 'strings' = 'refuse'): ReadArguments {
  if (text.trim() === '') return { args: {} };
  const { value, issues } = parseJson(text, { bigIntegers });
  if (issues) {
    const listed = issues.slice(0, 5).map((issue) => issue.message);
    const isSyntax = issues[0]?.code === 'json_syntax';
    const quote = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
    return refused(isSyntax ? `${listed[0]}. They were: ${quote}` : `${listed.join('; ')}.`);
  }
  if (value === null) return { args: {} };
  if (typeof value !== 'object' || Array.isArray(value))
    return refused(`They are ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}, not an object.`);
  return { args: value };
}

const refused = (why: string): ReadArguments => ({
  failure: {
    code: 'arguments_unreadable',
    message: `The arguments cannot be used: write one JSON object. ${why}`,
    class: 'permanent',
  },
});

import { cutText, type ModelMessage, type ModelRequest, wellFormed } from '@pawl/tool-sdk';
import type { OutputProblem } from './parse-structured.ts';

/** How the message of a repair call begins. */
export const REPAIR_OPENING = 'Your last answer cannot be used.';

const LONGEST_QUOTE_UNITS = 20_000;

/**
 * The request of one repair call: the same conversation, the answer as it came, and a message that names what is wrong
 * with it and asks for the whole answer again. Depends on its arguments alone, so a replay renders it identically.
 */
export function repairRequest(
  request: ModelRequest,
  answerText: string,
  problem: OutputProblem,
): ModelRequest {
  return { ...request, messages: [...request.messages, ...repairMessages(answerText, problem)] };
}

/** The two messages that a repair call adds. */
function repairMessages(answerText: string, problem: OutputProblem): ModelMessage[] {
  const issues = problem.detail?.issues ?? [];
  const listed = issues.map(
    ({ pointer, message }) => `- ${pointer === '' ? '(the whole value)' : pointer}: ${message}`,
  );
  return [
    { role: 'assistant', content: quoteOf(answerText) },
    {
      role: 'user',
      content: [
        `${REPAIR_OPENING} ${problem.message}`,
        ...(listed.length === 0 ? [] : ['Problems, by JSON pointer:', ...listed]),
        'Answer again in full: one JSON value that matches the schema, without code fences, without any text before or after it.',
      ].join('\n'),
    },
  ];
}

/** Providers refuse an empty assistant message, and a runaway answer must not be paid for twice. */
function quoteOf(text: string): string {
  const quote = cutText(wellFormed(text), LONGEST_QUOTE_UNITS);
  return quote.trim() === '' ? '(empty answer)' : quote;
}

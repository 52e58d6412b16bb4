import type { ModelMessage, ModelRequest, ModelTool, ModelToolCall } from '@pawl/tool-sdk';
import { fillSchema } from './fill-schema.ts';
import { readHints } from './hints.ts';
import { materialOf } from './material.ts';
import { readPrompt, textsInside } from './prompt.ts';
import type { RandomSource } from './random.ts';
import { foldedWordsOf } from './words.ts';

// How the simulator plays an agent: it calls the tools the task speaks of, the most spoken of first, one in a turn and each
// once, with arguments from the task and from what earlier calls gave; then it answers from what they gave.

/** Calls of one conversation before it answers. */
const MOST_CALLS = 6;

/** The call to be made next; undefined when the simulator has what it wants and answers. */
export function nextToolCall(request: ModelRequest, random: RandomSource): ModelToolCall | undefined {
  const { tools = [], messages } = request;
  const made = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  if (tools.length === 0 || made.length >= MOST_CALLS) return undefined;
  const open = tools.filter(({ name }) => !made.some((call) => call.name === name));
  const spoken = wordsIn(asked(messages));
  const scored = open.map((tool) => ({ tool, score: scoreOf(tool, spoken) }));
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (found, each) => (found === undefined || each.score > found.score ? each : found),
    undefined,
  );
  // Nothing of the task's words fits (another language): one tool is tried all the same.
  if (best === undefined || (best.score === 0 && made.length > 0)) return undefined;
  return {
    id: `sim_${made.length}`,
    name: best.tool.name,
    arguments: JSON.stringify(argumentsFor(best.tool, request, random)),
  };
}

/** The request of the final answer: what the tools gave is the material, the task the instruction. */
export function finalRequest(request: ModelRequest): ModelRequest {
  const results = resultsIn(request.messages);
  if (results.length === 0) return request;
  const systems = request.messages.filter(({ role }) => role === 'system');
  const texts = results.flatMap((result) => (typeof result === 'string' ? [result] : textsInside(result)));
  const material = `${asked(request.messages)}\n\n"""\n${texts.join('\n') || JSON.stringify(results)}\n"""`;
  return { ...request, messages: [...systems, { role: 'user', content: material }] };
}

/** What the people in the conversation said. */
const asked = (messages: readonly ModelMessage[]): string =>
  messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .join('\n\n');

function argumentsFor(tool: ModelTool, request: ModelRequest, random: RandomSource): unknown {
  const { instruction, content, data } = readPrompt(request);
  const results = resultsIn(request.messages);
  // Arguments are about what the task is about; only a task without material is material itself.
  const text = [content || instruction, ...results.flatMap(textsInside)].filter(Boolean).join('\n\n');
  // What the task names goes over what calls gave, and the newest of those over the older.
  const known = Object.assign({}, ...results.map(membersOf), membersOf(data));
  const material = materialOf({ text, data: known, instruction, random, spread: 0 });
  return fillSchema(tool.schema, material, readHints(''));
}

/** Results of calls that went well, newest last; JSON where it is JSON. */
function resultsIn(messages: readonly ModelMessage[]): unknown[] {
  return messages.flatMap((message) =>
    message.role === 'tool' && !message.isError ? [parsedOr(message.content)] : [],
  );
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Members that arguments may be taken from: of an object, or of the first object of a list. */
function membersOf(value: unknown): object {
  if (Array.isArray(value)) return membersOf(value[0]);
  return typeof value === 'object' && value !== null ? value : {};
}

function scoreOf({ name, description = '' }: ModelTool, spoken: ReadonlySet<string>): number {
  const shared = (text: string) => [...wordsIn(text)].filter((word) => spoken.has(word)).length;
  return 2 * shared(name.replace(/[_-]|(?<=[a-z])(?=[A-Z])/g, ' ')) + shared(description);
}

const COMMON = new Set(
  'the and for with that this from into are was not you your its has have all any can will when who what one use get'.split(
    ' ',
  ),
);

/** Words worth comparing, their commonest endings taken off. */
function wordsIn(text: string): Set<string> {
  const words = foldedWordsOf(text).filter((word) => !COMMON.has(word));
  const stems = words.map((word) =>
    word.length > 5 ? word.replace(/(?:ing|ed|es|s)$/, '') : word.replace(/s$/, ''),
  );
  return new Set(stems.filter((word) => word.length > 2 || /[^a-z0-9]/.test(word)));
}

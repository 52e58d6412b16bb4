import { pointerTo } from '../canonical/json-pointer.ts';
import { splitTemplate } from '../expression/split-template.ts';
import { didYouMean } from '../graph/did-you-mean.ts';
import { errorAt, type Issue } from '../graph/issue.ts';
import type { Json } from '../json.ts';
import { localAt } from './zoned-time.ts';

// Rules kept here: Z9 what the input of a schedule may name.

/** What the input of a schedule may name of the slot it is for. */
export interface SlotFacts {
  readonly slotMs: number;
  readonly timeZone: string;
  /** Of the schedule. */
  readonly name: string;
}

/** `{{ schedule.<member> }}`, always text. */
const MEMBERS: Readonly<Record<string, (facts: SlotFacts) => string>> = {
  slot: ({ slotMs }) => new Date(slotMs).toISOString(),
  date: (facts) => local(facts).slice(0, 10),
  time: (facts) => local(facts).slice(11, 16),
  timeZone: ({ timeZone }) => timeZone,
  name: ({ name }) => name,
};

const local = ({ timeZone, slotMs }: SlotFacts): string => new Date(localAt(timeZone, slotMs)).toISOString();

const NAMES = Object.keys(MEMBERS);
const MAX_DEPTH = 200;

/** Problems of the input of a schedule, with pointers into it (Z9). */
export function checkScheduleInput(input: Json, pointer = '', depth = 0): Issue[] {
  if (typeof input === 'string') return checkText(input, pointer);
  if (typeof input !== 'object' || input === null) return [];
  if (depth > MAX_DEPTH)
    return [errorAt('nesting_too_deep', pointer, `The input of a schedule may be nested ${MAX_DEPTH} deep`)];
  return Object.entries(input).flatMap(([key, value]) =>
    checkScheduleInput(value, pointerTo(pointer, key), depth + 1),
  );
}

function checkText(text: string, pointer: string): Issue[] {
  const { parts, unclosedAt } = splitTemplate(text);
  if (unclosedAt !== undefined)
    return [
      errorAt(
        'expression_syntax',
        pointer,
        'This {{ has no }} that closes it',
        'close it, or write \\{{ for the braces themselves',
      ),
    ];
  return parts.flatMap((part) => {
    if (typeof part === 'string' || memberOf(part.source)) return [];
    const source = part.source.trim();
    const near = didYouMean(
      source,
      NAMES.map((name) => `schedule.${name}`),
    );
    return [
      errorAt(
        'reference_unknown',
        pointer,
        `The input of a schedule cannot read "${source.slice(0, 100)}"; expected ${NAMES.map((name) => `schedule.${name}`).join(', ')}`,
        near ?? 'write \\{{ for the braces themselves',
      ),
    ];
  });
}

function memberOf(source: string): ((facts: SlotFacts) => string) | undefined {
  const [, name = ''] = /^\s*schedule\.(\w+)\s*$/.exec(source) ?? [];
  return Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
}

/** The input of the run of a slot; deterministic (Z9). The input must have passed {@link checkScheduleInput}. */
export function fillScheduleInput(input: Json, facts: SlotFacts): Json {
  if (typeof input === 'string') {
    if (!input.includes('{{')) return input;
    return splitTemplate(input)
      .parts.map((part) => (typeof part === 'string' ? part : (memberOf(part.source)?.(facts) ?? '')))
      .join('');
  }
  if (typeof input !== 'object' || input === null) return input;
  if (Array.isArray(input)) return input.map((value) => fillScheduleInput(value, facts));
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, fillScheduleInput(value, facts)]),
  );
}

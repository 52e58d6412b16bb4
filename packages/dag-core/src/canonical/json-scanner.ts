import { pointerTo } from './json-pointer.ts';

// Rules kept here: X9 no integer beyond ±(2^53−1) is ever rounded; X10 `__proto__` and bottomless nesting are refused.

/** Deepest nesting of arrays and objects that is read (X10); deeper text would exhaust the stack of whoever walks it. */
export const MAX_JSON_DEPTH = 1_000;

/** So many problems of one text get a pointer; the rest are counted only. */
export const MAX_POINTERS = 1_000;

/** What a JSON text holds that must not be parsed as it stands. */
export interface JsonProblem {
  readonly code: 'unsafe_integer' | 'number_out_of_range' | 'reserved_key' | 'nesting_too_deep';
  /** JSON pointer of the value; empty past the first {@link MAX_POINTERS} problems. */
  readonly pointer: string;
  /** Where it stands in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

interface Level {
  readonly isArray: boolean;
  /** Items seen before the one being read. */
  index: number;
  keyStart: number;
  keyEnd: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const MINUS = 45;

/**
 * Walks a JSON text once and lists the numbers and keys that `JSON.parse` would silently change.
 * Assumes nothing about the text: on text that is no JSON the answer is meaningless but the walk ends.
 */
export function scanJson(text: string): JsonProblem[] {
  const problems: JsonProblem[] = [];
  const pathOf = limitedPointers();
  const levels: Level[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const level = levels[levels.length - 1];
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (expectsKey && level) {
        level.keyStart = at;
        level.keyEnd = end;
        expectsKey = false;
        if (isReservedKey(text, at, end))
          problems.push({ code: 'reserved_key', pointer: pathOf(text, levels), start: at, end });
      }
      at = end;
    } else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at);
      const fault = numberFault(text, at, end);
      if (fault) problems.push({ code: fault, pointer: pathOf(text, levels), start: at, end });
      at = end;
    } else {
      if (code === 123 || code === 91) {
        if (levels.length === MAX_JSON_DEPTH) {
          problems.push({ code: 'nesting_too_deep', pointer: '', start: at, end: at + 1 });
          return problems;
        }
        levels.push({ isArray: code === 91, index: 0, keyStart: 0, keyEnd: 0 });
        expectsKey = code === 123;
      } else if (code === 125 || code === 93) {
        levels.pop();
        expectsKey = false;
      } else if (code === 44 && level) {
        level.index += 1;
        expectsKey = !level.isArray;
      }
      at += 1;
    }
  }
  return problems;
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // An even number of backslashes escape each other and leave the quote to end the string.
    if ((at - before) % 2 === 1) return at + 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isNumberUnit(text.charCodeAt(at))) at += 1;
  return at;
}

/** An integer is a literal of digits alone; one with a fraction or an exponent says itself that it is a double. */
function numberFault(text: string, start: number, end: number): JsonProblem['code'] | undefined {
  if (end - start < 16) return shortNumberFault(text, start, end);
  const literal = text.slice(start, end);
  const value = Number(literal);
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return 'number_out_of_range';
  if (/[.eE]/.test(literal)) return undefined;
  return Number.isSafeInteger(value) || Number.isNaN(value) ? undefined : 'unsafe_integer';
}

function shortNumberFault(text: string, start: number, end: number): JsonProblem['code'] | undefined {
  // Fewer than 16 characters cannot pass 2^53 as digits alone; only an exponent can overflow.
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at) | 32;
    if (code === 101)
      return Number.isFinite(Number(text.slice(start, end))) ? undefined : 'number_out_of_range';
  }
  return undefined;
}

const RESERVED_KEY = '__proto__';

/** Each of the nine letters may be escaped in six characters, so most keys are told by their length alone. */
function isReservedKey(text: string, start: number, end: number): boolean {
  const units = end - start - 2;
  if (units < RESERVED_KEY.length || units > RESERVED_KEY.length * 6) return false;
  if (text.startsWith(RESERVED_KEY, start + 1) && units === RESERVED_KEY.length) return true;
  return text.slice(start, end).includes('\\') && decodeKey(text, start, end) === RESERVED_KEY;
}

function decodeKey(text: string, start: number, end: number): string {
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    return text.slice(start + 1, end - 1);
  }
}

/** Pointers cost the depth of the value; only the first ones are written out, so that the walk stays linear. */
function limitedPointers(): (text: string, levels: readonly Level[]) => string {
  let left = MAX_POINTERS;
  return (text, levels) => {
    if (left === 0) return '';
    left -= 1;
    return levels.reduce(
      (path, level) =>
        pointerTo(path, level.isArray ? level.index : decodeKey(text, level.keyStart, level.keyEnd)),
      '',
    );
  };
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isNumberUnit = (code: number): boolean =>
  isDigit(code) || code === 46 || code === 43 || code === MINUS || (code | 32) === 101;

import { utf8Length } from '../canonical/utf8-length.ts';
import type { Json } from '../json.ts';

// Rules kept here: X7 a result is plain JSON, or it is refused; X8 it is bounded in depth and size.

/** Deepest nesting of a result (X8), the same as of JSON that comes from outside (X10). */
const MAX_RESULT_DEPTH = 1_000;

/** Why a value is no result. */
export type ResultFault = 'expression_not_json' | 'expression_too_deep' | 'expression_too_large';

/** Thrown inside this folder only; the caller adds the place. */
export class ResultRefused extends Error {
  readonly code: ResultFault;
  constructor(code: ResultFault, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Copies what JSONata returned into plain arrays and objects.
 *
 * @throws {ResultRefused} for functions, dates, NaN, infinities, integers that a double cannot hold, reserved keys, depth
 */
export function toPlainJson(value: unknown, depth = 0): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return checkNumber(value);
    case 'object':
      if (value === null) return null;
      if (depth >= MAX_RESULT_DEPTH) throw tooDeep();
      return Array.isArray(value) ? plainList(value, depth) : plainObject(value, depth);
    default:
      throw new ResultRefused('expression_not_json', `gives a ${typeof value}, which is no JSON value`);
  }
}

function plainList(list: readonly unknown[], depth: number): Json {
  const copy: Json[] = new Array(list.length);
  // Nothing inside a list has no JSON form; null is what JSON.stringify makes of it as well.
  for (let at = 0; at < list.length; at++)
    copy[at] = list[at] === undefined ? null : toPlainJson(list[at], depth + 1);
  return copy;
}

function plainObject(value: object, depth: number): Json {
  const prototype = Object.getPrototypeOf(value);
  const marks = value as { _jsonata_function?: unknown; _jsonata_lambda?: unknown };
  if (marks._jsonata_function === true || marks._jsonata_lambda === true) {
    throw new ResultRefused('expression_not_json', 'gives a function; call it, or name a value');
  }
  if (prototype !== null && prototype !== Object.prototype) {
    throw new ResultRefused('expression_not_json', 'gives something that is no JSON value');
  }
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    if (key === '__proto__')
      throw new ResultRefused('expression_not_json', 'gives an object with the reserved key "__proto__"');
    const inner = (value as Record<string, unknown>)[key];
    if (inner !== undefined) copy[key] = toPlainJson(inner, depth + 1);
  }
  return copy;
}

/** Numbers that JSON text would have to round or cannot hold are refused (X9). */
export function checkNumber(value: number): number {
  if (!Number.isFinite(value))
    throw new ResultRefused('expression_not_json', `gives ${value}, which is no JSON number`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21) {
    throw new ResultRefused(
      'expression_not_json',
      `gives the integer ${value}, beyond ±9007199254740991 where integers are rounded; keep it as text`,
    );
  }
  return value;
}

/**
 * Refuses a result whose JSON text is longer than the limit (X8). Costs no more than a walk over the value, and a text is
 * measured by its length alone unless it is near the limit.
 */
export function checkSize(value: Json, limitBytes: number): void {
  if (typeof value !== 'object' && typeof value !== 'string') return;
  const size = { least: 0, most: 0 };
  measure(value, size, limitBytes, 0);
  if (size.most > limitBytes && utf8Length(JSON.stringify(value)) > limitBytes) throw tooLarge(limitBytes);
}

function measure(value: Json, size: { least: number; most: number }, limit: number, depth: number): void {
  if (typeof value === 'string') {
    add(size, value.length, limit);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    size.least += 1;
    size.most += 24;
    return;
  }
  if (depth >= MAX_RESULT_DEPTH) throw tooDeep();
  size.least += 2;
  size.most += 2;
  if (Array.isArray(value)) {
    for (const item of value) measure(item, size, limit, depth + 1);
    size.most += value.length;
    if (size.least > limit) throw tooLarge(limit);
    return;
  }
  for (const key in value) {
    add(size, key.length, limit);
    measure(value[key] as Json, size, limit, depth + 1);
  }
}

/** One UTF-16 unit takes at least one byte of JSON text and at most six (`\u0000`); quotes, colon and comma come on top. */
function add(size: { least: number; most: number }, units: number, limit: number): void {
  size.least += units + 2;
  size.most += units * 6 + 4;
  if (size.least > limit) throw tooLarge(limit);
}

const tooDeep = () =>
  new ResultRefused('expression_too_deep', `gives a value nested deeper than ${MAX_RESULT_DEPTH} levels`);

const tooLarge = (limitBytes: number) =>
  new ResultRefused('expression_too_large', `gives more than ${limitBytes} bytes; take less of the value`);

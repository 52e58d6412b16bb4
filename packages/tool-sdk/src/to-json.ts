// One documented rule for values that leave user code (C59): a value is either JSON already or refused with the
// pointer and the type that was found. Two things are normalised because JSON.stringify does the same:
// object members that are `undefined` are dropped, and −0 becomes 0. So what the next node sees never depends on
// whether the value went through the store in between.
import type { Json, JsonObject } from './json.ts';

/** Deepest nesting of arrays and objects that a value may have. */
export const MAX_JSON_DEPTH = 1_000;

/** Why a value is not JSON: where (JSON pointer, `''` for the whole value) and what was found there. */
export interface NotJson {
  readonly pointer: string;
  /** For instance `Date`, `Map`, `undefined`, `NaN`, `bigint`, `function`, `cycle`, `unsafe integer`, `too deep`. */
  readonly found: string;
}

/** The value as plain JSON (a fresh copy), or the first thing in it that is not JSON. */
export type JsonCheck = { readonly ok: true; readonly value: Json } | ({ readonly ok: false } & NotJson);

/**
 * Copies a value if it is JSON and says what is wrong with it if it is not.
 *
 * Refused: everything `JSON.stringify` would drop or change silently (Date, Map, Set, class instances, functions,
 * symbols, bigint, NaN, ±Infinity, `undefined` outside of object members, holes in arrays), cycles, nesting beyond
 * {@link MAX_JSON_DEPTH}, and integers beyond ±(2^53−1) that would be written as digits. `__proto__` is an ordinary key.
 *
 * @example toJson({ at: new Date() }) // { ok: false, pointer: '/at', found: 'Date' }
 */
export function toJson(value: unknown): JsonCheck {
  try {
    return { ok: true, value: copy(value, '', new Set()) };
  } catch (problem) {
    if (problem instanceof Refusal) return { ok: false, pointer: problem.pointer, found: problem.found };
    throw problem;
  }
}

class Refusal extends Error {
  readonly pointer: string;
  readonly found: string;
  constructor(pointer: string, found: string) {
    super(`${found} at ${pointer}`);
    this.pointer = pointer;
    this.found = found;
  }
}

function copy(value: unknown, pointer: string, above: Set<object>): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return copyNumber(value, pointer);
  if (typeof value !== 'object') throw new Refusal(pointer, typeof value);
  if (above.has(value)) throw new Refusal(pointer, 'cycle');
  if (above.size >= MAX_JSON_DEPTH) throw new Refusal(pointer, 'too deep');
  above.add(value);
  const result = Array.isArray(value) ? copyArray(value, pointer, above) : copyObject(value, pointer, above);
  above.delete(value);
  return result;
}

function copyNumber(value: number, pointer: string): number {
  if (!Number.isFinite(value)) throw new Refusal(pointer, String(value));
  // From 1e21 on JavaScript writes an exponent: a measured double, not an identifier that lost its last digits.
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21) {
    throw new Refusal(pointer, 'unsafe integer');
  }
  return value === 0 ? 0 : value;
}

function copyArray(value: readonly unknown[], pointer: string, above: Set<object>): Json[] {
  const result: Json[] = [];
  for (let index = 0; index < value.length; index++) {
    result.push(copy(value[index], `${pointer}/${index}`, above));
  }
  return result;
}

function copyObject(value: object, pointer: string, above: Set<object>): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && !isPlainPrototype(prototype)) throw new Refusal(pointer, className(value));
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const copied = copy(member, `${pointer}/${escapePointer(key)}`, above);
    if (key === '__proto__') {
      Object.defineProperty(result, key, {
        value: copied,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    } else {
      result[key] = copied;
    }
  }
  return result;
}

/** True for the `Object.prototype` of any realm: the end of its chain, with a constructor named Object. */
function isPlainPrototype(prototype: object | unknown): boolean {
  if (prototype === Object.prototype) return true;
  return (
    typeof prototype === 'object' &&
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    className(prototype) === 'Object'
  );
}

function className(value: object): string {
  const maker = (value as { constructor?: unknown }).constructor;
  const name = typeof maker === 'function' ? maker.name : '';
  return name || Object.prototype.toString.call(value).slice(8, -1);
}

/** One segment of a JSON pointer (RFC 6901). */
export const escapePointer = (segment: string): string => segment.replace(/~/g, '~0').replace(/\//g, '~1');

import type { Json } from '../json.ts';
import { type JsonProblem, MAX_JSON_DEPTH, MAX_POINTERS, scanJson } from './json-scanner.ts';

/** A reason why a JSON text is not taken, as data. */
export interface JsonIssue {
  readonly code: JsonProblem['code'] | 'json_syntax';
  readonly pointer: string;
  readonly message: string;
}

export type ParsedJson =
  | { readonly value: Json; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly JsonIssue[] };

/** What happens to integers beyond ±(2^53−1): refused with their pointers, or kept as text, digit for digit. */
export interface ParseJsonOptions {
  readonly bigIntegers: 'refuse' | 'strings';
}

/**
 * Parses JSON from outside without ever rounding an integer (X9); refuses `__proto__` keys and bottomless nesting (X10).
 * NUL and lone surrogates are kept. Linear in the length of the text.
 *
 * @example parseJson('{"id":9007199254740993}', { bigIntegers: 'strings' }) // { value: { id: '9007199254740993' } }
 */
export function parseJson(text: string, options: ParseJsonOptions): ParsedJson {
  const problems = scanJson(text);
  const isKept = (each: JsonProblem) => each.code === 'unsafe_integer' && options.bigIntegers === 'strings';
  const kept = problems.filter(isKept);
  const refused = problems.filter((each) => !isKept(each));
  // Deep text must not reach JSON.parse: some engines recurse in it.
  if (refused.some((each) => each.code === 'nesting_too_deep'))
    return { issues: refused.slice(0, MAX_POINTERS).map(describe) };
  try {
    const value = JSON.parse(quoteEach(text, kept)) as Json;
    return refused.length > 0 ? { issues: refused.slice(0, MAX_POINTERS).map(describe) } : { value };
  } catch (error) {
    const message = `The text is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { issues: [{ code: 'json_syntax', pointer: '', message }] };
  }
}

/**
 * The JSON pointers of all integers beyond ±(2^53−1) in a JSON text, in order, at most the first thousand (X9).
 *
 * @example unsafeIntegers('{"id":9007199254740993}') // ['/id']
 */
export const unsafeIntegers = (text: string): string[] =>
  scanJson(text)
    .filter((each) => each.code === 'unsafe_integer')
    .slice(0, MAX_POINTERS)
    .map((each) => each.pointer);

/** `unsafe_integer at /id`, for the first such integer; undefined when the text holds none (X9). */
export function checkUnsafeIntegers(text: string): string | undefined {
  const [first] = unsafeIntegers(text);
  return first === undefined ? undefined : `unsafe_integer at ${first}`;
}

function quoteEach(text: string, numbers: readonly JsonProblem[]): string {
  if (numbers.length === 0) return text;
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of numbers) {
    pieces.push(text.slice(from, start), '"', text.slice(start, end), '"');
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}

function describe({ code, pointer }: JsonProblem): JsonIssue {
  const where = pointer === '' ? 'the top' : pointer;
  switch (code) {
    case 'unsafe_integer':
      return {
        code,
        pointer,
        message: `unsafe_integer at ${where}: integers beyond ±9007199254740991 would be rounded; send it as text, or set "bigIntegers": "strings" in the flow`,
      };
    case 'number_out_of_range':
      return { code, pointer, message: `The number at ${where} is too large for a double; send it as text` };
    case 'reserved_key':
      return { code, pointer, message: `The key at ${where} is reserved; rename "__proto__"` };
    case 'nesting_too_deep':
      return {
        code,
        pointer: '',
        message: `Lists and objects may be nested ${MAX_JSON_DEPTH} deep; this text goes deeper`,
      };
  }
}

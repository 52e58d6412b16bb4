/** What a simulated model was told to do, from `<name>?option=value&…`. */
export interface SimOptions {
  readonly name: string;
  /** Part of every draw. */
  readonly seed: string;
  /** Milliseconds of the whole call, spread over the stream. */
  readonly latencyMs: number;
  /** Up to so many milliseconds more, drawn per call. */
  readonly jitterMs: number;
  /** Share of calls, 0 to 1, that fail with `failWith`. */
  readonly failRate: number;
  /** Failure of `failRate`. */
  readonly failWith: SimFailure;
  /** The first `count` calls of each idempotency key fail. */
  readonly fail?: { readonly how: SimFailure; readonly count: number };
  /** Wait named in simulated failures. */
  readonly retryAfterMs?: number;
  readonly refuseRate: number;
  /** Share of calls, 0 to 1, whose text is cut in the middle with finish reason `length`. */
  readonly truncate: number;
  /** Each answer differs from every other. */
  readonly nonce: boolean;
}

/** An HTTP status; `network`: the connection broke before sending; `cut`: it broke after sending. */
export type SimFailure = number | 'network' | 'cut';

const KNOWN = [
  'seed',
  'latencyMs',
  'jitterMs',
  'failRate',
  'failWith',
  'fail',
  'retryAfterMs',
  'refuseRate',
  'truncate',
  'nonce',
] as const;

/**
 * Reads a simulated model's name with its options.
 *
 * @returns the options, or a sentence that names what is wrong
 */
export function parseSimModel(model: string): SimOptions | string {
  const mark = model.indexOf('?');
  const name = mark < 0 ? model : model.slice(0, mark);
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) {
    return `Simulated model "${name}" has no usable name: use letters, digits, ".", "_" and "-", as in sim:writer.`;
  }
  const given = new URLSearchParams(mark < 0 ? '' : model.slice(mark + 1));
  for (const key of given.keys()) {
    if (!(KNOWN as readonly string[]).includes(key)) {
      return `Simulated model "${name}" has no option "${key}"; there are ${KNOWN.join(', ')}.`;
    }
  }
  try {
    const fail = given.get('fail');
    const wait = given.get('retryAfterMs');
    return {
      name,
      seed: given.get('seed') ?? '',
      latencyMs: numberOf(given, 'latencyMs', 600_000),
      jitterMs: numberOf(given, 'jitterMs', 600_000),
      failRate: numberOf(given, 'failRate', 1),
      failWith: failureOf(given.get('failWith') ?? '503'),
      ...(fail === null ? {} : { fail: countedFailureOf(fail) }),
      ...(wait === null ? {} : { retryAfterMs: numberOf(given, 'retryAfterMs', Number.MAX_SAFE_INTEGER) }),
      refuseRate: numberOf(given, 'refuseRate', 1),
      truncate: numberOf(given, 'truncate', 1),
      nonce: ['1', 'true'].includes(given.get('nonce') ?? ''),
    };
  } catch (error) {
    return `Simulated model "${name}": ${(error as Error).message}`;
  }
}

function numberOf(given: URLSearchParams, key: string, max: number): number {
  const text = given.get(key);
  if (text === null) return 0;
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= max)) {
    throw new RangeError(`option ${key} is "${text}"; it must be a number from 0 to ${max}.`);
  }
  return value;
}

function failureOf(text: string): SimFailure {
  if (text === 'network' || text === 'cut') return text;
  const status = Number(text);
  if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  throw new RangeError(`failure "${text}" is unknown; use a status from 400 to 599, "network" or "cut".`);
}

function countedFailureOf(text: string): { how: SimFailure; count: number } {
  const [how = '', count = '1'] = text.split(':');
  const times = Number(count);
  if (!Number.isInteger(times) || times < 0) {
    throw new RangeError(`option fail is "${text}"; write <failure>:<how many calls>, as in 429:2.`);
  }
  return { how: failureOf(how), count: times };
}

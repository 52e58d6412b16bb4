/** Waits longer than this are taken for mistakes of the server (C67). */
export const MAX_RETRY_AFTER_MS = 86_400_000;

/** Headers in the shapes that HTTP clients hand over; names in any case. */
export type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The wait a server asked for, from `retry-after-ms` or `Retry-After` (seconds or an HTTP date).
 *
 * @param nowMs  the clock that dates are compared with, epoch milliseconds
 * @returns whole milliseconds, 0 (a date in the past) … one day; `undefined` when nothing usable was said
 *   (absent, not a number, negative, beyond one day): use the ordinary back-off then
 */
export function parseRetryAfter(headers: HeaderBag, nowMs: number): number | undefined {
  const exact = plausible(decimal(readHeader(headers, 'retry-after-ms')));
  if (exact !== undefined) return exact;
  const text = readHeader(headers, 'retry-after');
  const seconds = decimal(text);
  if (seconds !== undefined) return plausible(seconds * 1_000);
  const date = httpDate(text);
  return date === undefined ? undefined : plausible(Math.max(0, date - nowMs));
}

/** One header's first value, or `undefined`. */
export function readHeader(headers: HeaderBag, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return typeof value === 'object' ? value[0] : value;
  }
  return undefined;
}

const decimal = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;

/** Dates start with a weekday (RFC 9110); `Date.parse` alone would read "-1" as a year. */
const httpDate = (text: string | undefined): number | undefined => {
  if (text === undefined || !/^\s*(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
};

const plausible = (ms: number | undefined): number | undefined =>
  ms !== undefined && ms <= MAX_RETRY_AFTER_MS ? Math.ceil(ms) : undefined;

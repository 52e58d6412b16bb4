// Which mistake would this catch? A wait that a server named and nobody kept, or an absurd one that was.
import { describe, expect, it } from 'vitest';
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from '../src/index.ts';

const now = Date.UTC(2026, 2, 1, 12, 0, 0);

describe('C67: parseRetryAfter', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ 'Retry-After': '7' }, 7_000],
    [{ 'retry-after': ' 1.5 ' }, 1_500],
    [{ 'retry-after': '0' }, 0],
    [{ 'Retry-After': new Date(now + 5_000).toUTCString() }, 5_000],
    [{ 'Retry-After': new Date(now - 5_000).toUTCString() }, 0],
    [{ 'retry-after': 'Sunday, 01-Mar-26 12:00:09 GMT' }, 9_000],
    [{ 'Retry-After-Ms': '1500' }, 1_500],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1_500],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
    [{ 'retry-after': 'abc' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '1e3' }, undefined],
    [{ 'retry-after': '999999' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': new Date(now + MAX_RETRY_AFTER_MS + 1_000).toUTCString() }, undefined],
    [{ 'retry-after': 'Mon, 99 Foo 2026' }, undefined],
    [{}, undefined],
  ])('%j → %s', (headers, expected) => {
    expect(parseRetryAfter(headers, now)).toBe(expected);
    expect(parseRetryAfter(new Headers(headers), now)).toBe(expected);
  });

  it('when a client hands over lists of values, the first one counts', () => {
    expect(parseRetryAfter({ 'retry-after': ['3', '9'] }, now)).toBe(3_000);
  });
});

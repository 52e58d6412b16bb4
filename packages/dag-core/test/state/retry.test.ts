// Which mistake would this catch? A retry that comes before the server allowed it, long after, never, or once too often (C67, C10).
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DEFAULT_RETRY, retryDelayMs } from '../../src/index.ts';

const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('back-off', () => {
  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [4, undefined],
    [9, undefined],
  ])('by default the wait after %i failures is %s ms', (failures, delayMs) => {
    expect(retryDelayMs(failures, undefined, 0)).toBe(delayMs);
  });

  it('is spread by the share the policy names, upwards', () => {
    expect(retryDelayMs(1, undefined, 1)).toBe(1_200);
    expect(retryDelayMs(1, { jitter: 0.5 }, 0.5)).toBe(1_250);
    expect(retryDelayMs(1, { jitter: 0 }, 1)).toBe(1_000);
  });

  it('stops growing at the maximum, for any number of failures', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), random, (failures, spread) => {
        const delayMs = retryDelayMs(failures, { maxAttempts: 10_000 }, spread)!;
        expect(Number.isSafeInteger(delayMs)).toBe(true);
        expect(delayMs).toBeGreaterThanOrEqual(DEFAULT_RETRY.initialMs);
        expect(delayMs).toBeLessThanOrEqual(DEFAULT_RETRY.maxMs * (1 + DEFAULT_RETRY.jitter));
      }),
    );
  });

  it('tries once when the policy says once', () => {
    expect(retryDelayMs(1, { maxAttempts: 1 }, 0)).toBeUndefined();
  });

  it('takes what the policy leaves out from the defaults', () => {
    expect(retryDelayMs(2, { factor: 10, jitter: 0 }, 0)).toBe(10_000);
    expect(retryDelayMs(1, { initialMs: 5, jitter: 0 }, 0)).toBe(5);
  });
});

describe('what a server asks for (C67)', () => {
  test.each([
    ['Retry-After: 7', 7_000],
    ['an HTTP date 5 s ahead', 5_000],
    ['retry-after-ms: 1500', 1_500],
  ])('%s: never sooner, and at most a fifth and a second later', (_, askedMs) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), random, (failures, spread) => {
        const delayMs = retryDelayMs(failures, undefined, spread, askedMs)!;
        expect(delayMs).toBeGreaterThanOrEqual(askedMs);
        expect(delayMs).toBeLessThanOrEqual(askedMs * 1.2 + 1_000);
      }),
    );
  });

  test.each([
    ['nothing that could be read', undefined],
    ['a time in the past', -1],
    ['more than a day', 999_999_000],
    ['no number', Number.NaN],
    ['no end', Number.POSITIVE_INFINITY],
  ])('%s: falls back to the back-off', (_, askedMs) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), random, (failures, spread) => {
        expect(retryDelayMs(failures, undefined, spread, askedMs)).toBe(
          retryDelayMs(failures, undefined, spread),
        );
      }),
    );
  });

  it('is obeyed up to a day, also beyond the maximum of the policy', () => {
    expect(retryDelayMs(1, { maxMs: 1_000 }, 0, 86_400_000)).toBe(86_400_000);
  });

  it('gives no further try when none is left', () => {
    expect(retryDelayMs(4, undefined, 0, 7_000)).toBeUndefined();
  });
});

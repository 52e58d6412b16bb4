import { expect, it } from 'vitest';
import { retryWaits } from '../../../src/inspecting/retry-waits.ts';

// The sentence about trying again must say what the engine will do (T8).

it('the waits that are told are those of the engine, without what chance adds (T8)', () => {
  expect(retryWaits({ maxAttempts: 4, initialMs: 1_000, factor: 2, maxMs: 60_000 })).toEqual([
    1_000, 2_000, 4_000,
  ]);
  expect(retryWaits({ maxAttempts: 4, initialMs: 1_000, factor: 10, maxMs: 5_000 })).toEqual([
    1_000, 5_000, 5_000,
  ]);
  expect(retryWaits({ maxAttempts: 1 })).toEqual([]);
  expect(retryWaits({ maxAttempts: 100 }, 3)).toHaveLength(3);
});

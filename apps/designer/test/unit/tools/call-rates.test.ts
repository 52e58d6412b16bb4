// Would catch: a share that says "none failed" or "all failed" when some did not.
import { expect, test } from 'vitest';
import { failureRate, percent } from '../../../src/tools/call-rates.ts';

test('calls whose end is unknown do not count', () => {
  expect(failureRate({ succeeded: 0, failed: 0 })).toBeUndefined();
  expect(failureRate({ succeeded: 3, failed: 1 })).toBe(0.25);
});

test.each([
  [0, '0 %'],
  [0.00001, '< 0.1 %'],
  [0.034, '3.4 %'],
  [0.1, '10 %'],
  [0.9999, '> 99.9 %'],
  [0.995, '99.5 %'],
  [1, '100 %'],
])('%d is %s', (share, text) => {
  expect(percent(share)).toBe(text);
});

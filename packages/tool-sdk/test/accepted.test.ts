// Which mistake would this catch? A wait that no clock counts, or a reference that no journal keeps.
import { describe, expect, it } from 'vitest';
import { accepted, isAccepted } from '../src/index.ts';

describe('ctx.accepted', () => {
  it('keeps what it was given', () => {
    const given = { deadlineMs: 1, pollEveryMs: 366 * 86_400_000, reference: { job: 'j-1' }, data: null };
    expect(accepted(given)).toEqual(given);
    expect(isAccepted(accepted(given))).toBe(true);
    expect(isAccepted(given)).toBe(false);
  });

  it.each<[string, object, RegExp]>([
    ['no deadline', {}, /deadlineMs must be a whole number from 1 to/],
    ['a deadline beyond a year', { deadlineMs: 367 * 86_400_000 }, /deadlineMs.*found 31708800000/],
    ['a pause of nothing', { deadlineMs: 1, pollEveryMs: 0 }, /pollEveryMs must be a whole number/],
    ['half a pause', { deadlineMs: 1, pollEveryMs: 1.5 }, /pollEveryMs.*found 1.5/],
    ['a reference that is no JSON', { deadlineMs: 1, reference: { at: new Date(0) } }, /found Date at \/at/],
    [
      'a reference that is a document',
      { deadlineMs: 1, reference: 'x'.repeat(10_000) },
      /found 10002.*name of the job/,
    ],
  ])('when given %s, it says what was expected', (_case, given, sentence) => {
    expect(() => accepted(given as never)).toThrowError(sentence);
  });
});

// Which mistake would this catch? A cron expression that is read as another one, or refused without a word of what was expected.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseCron } from '../../src/index.ts';
import { isEveryHour, isOnDate } from '../../src/schedule/cron.ts';

const rule = (text: string) => {
  const read = parseCron(text);
  if (read.problem !== undefined) throw new Error(read.problem);
  return read.rule;
};
const all = (least: number, most: number) => Array.from({ length: most - least + 1 }, (_, at) => least + at);

describe('Z1: a cron expression has five fields', () => {
  test.each([
    [
      '* * * * *',
      { minutes: all(0, 59), hours: all(0, 23), days: all(1, 31), months: all(1, 12), weekdays: all(0, 6) },
    ],
    ['30 2 * * *', { minutes: [30], hours: [2] }],
    ['*/15 */6 * * *', { minutes: [0, 15, 30, 45], hours: [0, 6, 12, 18] }],
    ['5/20 1-9/4 * * *', { minutes: [5, 25, 45], hours: [1, 5, 9] }],
    ['3,1,2,1 0 1,15-17,31 * *', { minutes: [1, 2, 3], days: [1, 15, 16, 17, 31] }],
    ['0 0 * JAN,mar-May Mon-Fri', { months: [1, 3, 4, 5], weekdays: [1, 2, 3, 4, 5] }],
    ['0 0 * * 7', { weekdays: [0] }],
    ['0 0 * * fri-sun', { weekdays: [0, 5, 6] }],
    ['0 0 * * sun-tue', { weekdays: [0, 1, 2] }],
    ['  0\t0   *  * */2 ', { weekdays: [0, 2, 4, 6] }],
    ['@hourly', { minutes: [0], hours: all(0, 23) }],
    ['@weekly', { minutes: [0], hours: [0], weekdays: [0] }],
    ['0 0 29 2 *', { days: [29], months: [2] }],
  ])('%s', (text, expected) => {
    expect(rule(text)).toMatchObject(expected);
  });

  test.each([
    ['', /five fields .* not 0/],
    ['* * * *', /not 4/],
    ['0 30 2 * * *', /not 6; seconds cannot be given/],
    ['60 * * * *', /"60" is no minute: expected 0 to 59/],
    ['* 24 * * *', /"24" is no hour/],
    ['* * 0 * *', /"0" is no day of the month/],
    ['* * * 13 *', /"13" is no month: expected 1 to 12 or jan to dec/],
    ['* * * * 8', /no day of the week/],
    ['* * * * mo', /no day of the week/],
    ['9-5 * * * *', /"9-5" is no minute/],
    ['*/0 * * * *', /no minute/],
    ['*-5 * * * *', /no minute/],
    ['1,, * * * *', /"" is no minute/],
    ['-1 * * * *', /no minute/],
    ['1.5 * * * *', /no minute/],
    ['0x1 * * * *', /no minute/],
    ['* * L * *', /no day of the month/],
    ['* * ? * *', /no day of the month/],
    ['0 0 30 2 *', /never fire/],
    ['0 0 31 4,6,9,11 *', /never fire/],
    ['__proto__', /Expected five fields/],
    ['@reboot', /There is no @reboot; expected one of @yearly/],
    ['* '.repeat(300), /at most 500 characters/],
  ])('"%s" is refused in words', (text, words) => {
    expect(parseCron(text).problem).toMatch(words);
  });

  it('never throws, whatever it is given', () => {
    const nearly = fc.array(fc.constantFrom(...'0123456789*/-, @LW#?janmon'.split('')), { maxLength: 40 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          nearly.map((all) => all.join('')),
        ),
        (text) => {
          const read = parseCron(text);
          if (read.problem === undefined)
            for (const values of Object.values<readonly number[]>({ ...read.rule })) {
              expect(values.length).toBeGreaterThan(0);
              expect([...new Set(values)].toSorted((a, b) => a - b)).toEqual(values);
            }
        },
      ),
    );
  });
});

describe('Z2: which dates a rule names', () => {
  const names = (text: string, date: string) => isOnDate(rule(text), Date.parse(`${date}T00:00:00Z`));

  it('with both kinds of days restricted either is enough', () => {
    expect(names('0 0 13 * fri', '2026-03-13')).toBe(true); // both
    expect(names('0 0 13 * fri', '2026-03-20')).toBe(true); // a Friday
    expect(names('0 0 13 * fri', '2026-04-13')).toBe(true); // a Monday
    expect(names('0 0 13 * fri', '2026-04-14')).toBe(false);
    expect(names('0 0 30 2 mon', '2026-02-02')).toBe(true); // so this one may fire
  });

  it('with one of them restricted only that one counts', () => {
    expect(names('0 0 13 * *', '2026-03-20')).toBe(false);
    expect(names('0 0 * * fri', '2026-03-13')).toBe(true);
    expect(names('0 0 1-31 * fri', '2026-04-14')).toBe(false);
    expect(names('0 0 13 * 0-6', '2026-04-14')).toBe(false);
  });

  it('the month counts always', () => {
    expect(names('0 0 * 2 *', '2026-03-01')).toBe(false);
  });
});

test('Z3: hours count as not restricted when all are named, however', () => {
  for (const hours of ['*', '*/1', '0-23', '0-11,12-23'])
    expect(isEveryHour(rule(`0 ${hours} * * *`))).toBe(true);
  for (const hours of ['*/2', '0-22', '3']) expect(isEveryHour(rule(`0 ${hours} * * *`))).toBe(false);
});

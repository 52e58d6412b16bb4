// Which mistake would this catch? A duration read as another one, a month that is thirty days, a timer beyond the calendar.
import { describe, expect, it, test } from 'vitest';
import { addDuration, instantText, parseDuration, parseInstant } from '../../src/index.ts';

describe('a duration', () => {
  test.each([
    [1_500, 1_500],
    [0, 0],
    ['PT0S', 0],
    ['PT90S', 90_000],
    ['PT1.5S', 1_500],
    ['PT2M', 120_000],
    ['P1DT12H', 129_600_000],
    ['P2W', 1_209_600_000],
  ])('%s is %d ms', (value, ms) => {
    expect(parseDuration(value)).toEqual({ months: 0, ms });
  });

  test.each([
    -1,
    Number.NaN,
    'P',
    'PT',
    'P1DT',
    '1h',
    '-PT1S',
    'PT1,5S',
    'P1.5D',
    'P11Y',
    4e12,
    null,
    {},
    '',
  ])('%s is none', (value) => {
    expect(parseDuration(value)).toBeUndefined();
  });

  test.each([
    ['2026-01-31T10:00:00.000Z', 'P1M', '2026-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', 'P1M', '2028-02-29T10:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', 'P1Y', '2025-02-28T23:59:59.999Z'],
    ['2026-11-30T00:00:00.000Z', 'P3M1DT1H', '2027-03-01T01:00:00.000Z'],
    ['2026-06-15T00:00:00.000Z', 'P10Y', '2036-06-15T00:00:00.000Z'],
  ])('from %s, %s ends at %s', (from, text, end) => {
    expect(instantText(addDuration(Date.parse(from), parseDuration(text)!))).toBe(end);
  });

  it('is not cut to 2^31 milliseconds', () => {
    expect(addDuration(0, parseDuration('P60D')!)).toBe(60 * 86_400_000);
    expect(addDuration(0, parseDuration(2 ** 31 + 7)!)).toBe(2 ** 31 + 7);
  });
});

describe('an instant', () => {
  test.each([
    ['2027-03-01T09:00:00+08:00', '2027-03-01T01:00:00.000Z'],
    ['2027-03-01T09:00Z', '2027-03-01T09:00:00.000Z'],
    ['2027-03-01T09:00:00.1239-00:30', '2027-03-01T09:30:00.123Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    [1_800_000_000_000, '2027-01-15T08:00:00.000Z'],
  ])('%s is %s', (value, text) => {
    expect(instantText(parseInstant(value)!)).toBe(text);
  });

  test.each([
    '2027-02-29',
    '2027-03-01T09:00:00',
    '2027-03-01 09:00:00Z',
    '2027-13-01',
    '2027-03-01T24:00:00Z',
    '2027-03-01T09:60:00Z',
    'tomorrow',
    Number.POSITIVE_INFINITY,
    1e18,
    null,
    true,
  ])('%s is none', (value) => {
    expect(parseInstant(value)).toBeUndefined();
  });
});

// Which mistake would this catch? A schedule whose input says something else than was written, or that is found wrong only at night.
import { describe, expect, it, test } from 'vitest';
import { fillScheduleInput, type Json, readSchedule } from '../../src/index.ts';

const facts = { slotMs: Date.parse('2026-03-08T08:30:00Z'), timeZone: 'America/Chicago', name: 'nightly' };
const issuesOf = (input: Json, more: { cron?: string; timeZone?: string } = {}) =>
  readSchedule({ cron: '0 0 * * *', timeZone: 'UTC', input, ...more }).issues?.map(
    ({ code, pointer, hint }) => [code, pointer, hint],
  );

describe('Z9: the input of a schedule', () => {
  it('names its slot, as an instant and as the clock of the zone shows it', () => {
    expect(
      fillScheduleInput(
        {
          at: '{{ schedule.slot }}',
          day: '{{schedule.date}}',
          text: '{{ schedule.name }} of {{ schedule.date }}, {{ schedule.time }} {{ schedule.timeZone }}',
          list: [1, null, true, { deep: '{{ schedule.date }}' }],
        },
        facts,
      ),
    ).toEqual({
      at: '2026-03-08T08:30:00.000Z',
      day: '2026-03-08',
      text: 'nightly of 2026-03-08, 03:30 America/Chicago',
      list: [1, null, true, { deep: '2026-03-08' }],
    });
  });

  it('is byte for byte what was written where it names nothing', () => {
    const input = {
      prompt: 'Reply {"a":{"b":1}} }} and \\{{ this }}',
      nul: 'a\u0000\ud800',
      '{{ key }}': 0.1,
    };
    expect(issuesOf(input)).toBeUndefined();
    expect(fillScheduleInput(input, facts)).toEqual({
      ...input,
      prompt: 'Reply {"a":{"b":1}} }} and {{ this }}',
    });
  });

  test.each([
    [{ a: ['{{ schedule.day }}'] }, [['reference_unknown', '/input/a/0', 'did you mean "schedule.date"?']]],
    [
      { 'a/b': 'x {{ input.x }}' },
      [['reference_unknown', '/input/a~1b', 'write \\{{ for the braces themselves']],
    ],
    [
      { a: '{{ schedule.constructor }}' },
      [['reference_unknown', '/input/a', 'write \\{{ for the braces themselves']],
    ],
    [
      '{{ schedule.slot',
      [['expression_syntax', '/input', 'close it, or write \\{{ for the braces themselves']],
    ],
  ])('%j is refused with its place', (input, issues) => {
    expect(issuesOf(input)).toEqual(issues);
  });
});

test('every problem of a schedule is told at once', () => {
  expect(issuesOf('{{ x }}', { cron: '61 * * * *', timeZone: 'Europe/Berlim' })).toEqual([
    ['cron_invalid', '/cron', undefined],
    ['time_zone_unknown', '/timeZone', 'did you mean "Europe/Berlin"?'],
    ['reference_unknown', '/input', 'write \\{{ for the braces themselves'],
  ]);
});

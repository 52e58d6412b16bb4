// Which mistake would this catch? A daily run that is missed or doubled on the day the clocks change, a quarter of an hour without
// its run, an order or an instant that depends on where one starts to look (C34).
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Calendar, nextSlot, parseCron, slotsBetween } from '../../src/index.ts';
import { isOnDate } from '../../src/schedule/cron.ts';
import { isTimeZone, localAt } from '../../src/schedule/zoned-time.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const at = (text: string) => Date.parse(text);
const calendarOf = (cron: string, timeZone: string): Calendar => {
  const read = parseCron(cron);
  if (read.problem !== undefined) throw new Error(read.problem);
  return { rule: read.rule, timeZone };
};
/** `2026-03-08 03:30 -5`: what the clock of the zone shows, and its hours ahead of UTC. */
const shown = (zone: string) => (slot: number) => {
  const local = localAt(zone, slot);
  return `${new Date(local).toISOString().slice(0, 16).replace('T', ' ')} ${(local - slot) / 3_600_000}`;
};
const slots = (cron: string, zone: string, from: string, until: string) =>
  slotsBetween(calendarOf(cron, zone), at(from), at(until), 10_000).map(shown(zone));

describe('C34 Z4: fixed hours', () => {
  const chicago = 'America/Chicago';

  it('30 1 * * * runs once on the day the clock is set back, at the first half past one', () => {
    expect(slots('30 1 * * *', chicago, '2026-10-31T00:00:00Z', '2026-11-03T00:00:00Z')).toEqual([
      '2026-10-31 01:30 -5',
      '2026-11-01 01:30 -5',
      '2026-11-02 01:30 -6',
    ]);
  });

  it('30 2 * * * runs once on the day without a half past two, as long after the gap began as it says', () => {
    expect(slots('30 2 * * *', chicago, '2026-03-07T00:00:00Z', '2026-03-10T00:00:00Z')).toEqual([
      '2026-03-07 02:30 -6',
      '2026-03-08 03:30 -5',
      '2026-03-09 02:30 -5',
    ]);
  });

  it('every slot of a lost hour keeps its distance, and one that falls on another is one slot with it (Z5)', () => {
    expect(slots('*/15 2 * * *', chicago, '2026-03-08T06:00:00Z', '2026-03-09T06:00:00Z')).toEqual([
      '2026-03-08 03:00 -5',
      '2026-03-08 03:15 -5',
      '2026-03-08 03:30 -5',
      '2026-03-08 03:45 -5',
    ]);
    expect(slots('0,30 2,3 * * *', chicago, '2026-03-08T06:00:00Z', '2026-03-09T06:00:00Z')).toEqual([
      '2026-03-08 03:00 -5',
      '2026-03-08 03:30 -5',
    ]);
  });

  it('half an hour is lost and doubled on Lord Howe', () => {
    const zone = 'Australia/Lord_Howe';
    expect(slots('15 2 * * *', zone, '2026-10-02T13:00:00Z', '2026-10-05T00:00:00Z')).toEqual([
      '2026-10-03 02:15 10.5',
      '2026-10-04 02:45 11',
      '2026-10-05 02:15 11',
    ]);
    expect(slots('45 1 * * *', zone, '2026-04-03T13:00:00Z', '2026-04-06T00:00:00Z')).toEqual([
      '2026-04-04 01:45 11',
      '2026-04-05 01:45 11',
      '2026-04-06 01:45 10.5',
    ]);
  });

  it('a summer time that is the normal time, with an hour back in between, is no special case (Casablanca)', () => {
    const zone = 'Africa/Casablanca';
    // Ramadan 2026: back on 15 February at 3:00, forward on 22 March at 2:00.
    expect(slots('30 2 * * *', zone, '2026-02-14T00:00:00Z', '2026-02-17T00:00:00Z')).toEqual([
      '2026-02-14 02:30 1',
      '2026-02-15 02:30 1',
      '2026-02-16 02:30 0',
    ]);
    expect(slots('30 2 * * *', zone, '2026-03-21T00:00:00Z', '2026-03-24T00:00:00Z')).toEqual([
      '2026-03-21 02:30 0',
      '2026-03-22 03:30 1',
      '2026-03-23 02:30 1',
    ]);
  });

  it('the day that Samoa skipped falls on the next, where it meets its own slot (Z5)', () => {
    expect(slots('0 9 * * *', 'Pacific/Apia', '2011-12-28T00:00:00Z', '2012-01-01T12:00:00Z')).toEqual([
      '2011-12-28 09:00 -10',
      '2011-12-29 09:00 -10',
      '2011-12-31 09:00 14',
      '2012-01-01 09:00 14',
    ]);
    // A schedule of Fridays only: that Friday did not exist.
    expect(slots('0 9 * * fri', 'Pacific/Apia', '2011-12-25T00:00:00Z', '2012-01-08T00:00:00Z')).toEqual([
      '2011-12-31 09:00 14',
      '2012-01-06 09:00 14',
    ]);
  });

  it('a gap over midnight moves a slot into the next date (Nuuk)', () => {
    expect(slots('30 23 * * *', 'America/Nuuk', '2026-03-28T00:00:00Z', '2026-03-31T00:00:00Z')).toEqual([
      '2026-03-27 23:30 -2',
      '2026-03-29 00:30 -1',
      '2026-03-29 23:30 -1',
    ]);
  });

  it('a lost midnight is an hour late (Beirut)', () => {
    expect(slots('0 0 * * *', 'Asia/Beirut', '2026-03-27T12:00:00Z', '2026-03-30T00:00:00Z')).toEqual([
      '2026-03-28 00:00 2',
      '2026-03-29 01:00 3',
      '2026-03-30 00:00 3',
    ]);
  });
});

describe('C34 Z3: every hour', () => {
  it('*/15 * * * * keeps four per real hour over both changes', () => {
    for (const day of ['2026-03-08', '2026-11-01']) {
      const from = at(`${day}T00:00:00Z`);
      const found = slotsBetween(calendarOf('*/15 * * * *', 'America/Chicago'), from, from + 2 * DAY, 10_000);
      expect(found).toEqual(Array.from({ length: 2 * 96 + 1 }, (_, i) => from + i * 15 * MINUTE));
    }
  });

  it('0 * * * * runs in both passes of a doubled hour and has nothing to make up for a lost one', () => {
    expect(slots('0 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', '2026-10-25T02:00:00Z')).toEqual([
      '2026-10-25 02:00 2',
      '2026-10-25 02:00 1',
      '2026-10-25 03:00 1',
    ]);
    expect(slots('0 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T02:00:00Z')).toEqual([
      '2026-03-29 01:00 1',
      '2026-03-29 03:00 2',
      '2026-03-29 04:00 2',
    ]);
  });
});

const ZONES = [
  ['America/Chicago', ['2026-03-08', '2026-11-01', '2027-03-14']],
  ['Europe/Berlin', ['2026-03-29', '2026-10-25', '1996-10-27']],
  ['Europe/Dublin', ['2026-03-29', '2026-10-25']],
  ['Australia/Lord_Howe', ['2026-04-05', '2026-10-04']],
  ['Africa/Casablanca', ['2026-02-15', '2026-03-22', '2025-04-06']],
  ['Pacific/Apia', ['2011-12-30', '2012-04-01', '2020-09-27']],
  ['Pacific/Kwajalein', ['1993-08-21']],
  ['America/Nuuk', ['2026-03-29', '2026-10-25']],
  ['Asia/Beirut', ['2026-03-29', '2026-10-25']],
  ['America/Sao_Paulo', ['2018-11-04', '2019-02-17']],
  ['Asia/Kathmandu', ['2026-01-01', '1986-01-01']],
  ['Antarctica/Troll', ['2026-03-29', '2026-10-25']],
  ['Africa/Cairo', ['2010-08-11', '2010-09-10', '2026-04-24']],
  ['UTC', ['2026-06-15']],
] as const;

const aField = (least: number, most: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min: least, max: most }).map(String),
    fc.integer({ min: 2, max: most }).map((step) => `*/${step}`),
    fc
      .uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 4 })
      .map((values) => values.join(',')),
  );
const aCron = fc
  .tuple(
    aField(0, 59),
    fc.oneof(fc.constantFrom('*', '0', '1', '2', '3', '0,1,2,3', '1-3', '23'), aField(0, 23)),
    fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, aField(1, 31)),
    fc.constant('*'),
    fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, aField(0, 6)),
  )
  .map((fields) => fields.join(' '))
  .filter((text) => parseCron(text).problem === undefined);
const aPlace = fc
  .constantFrom(...ZONES)
  .chain(([zone, dates]) => fc.tuple(fc.constant(zone), fc.constantFrom<string>(...dates)));

describe('on any rule, around any change of a clock', () => {
  /** Every minute from two days before to three days after, by what the clock shows: slow, and nothing can be left out. */
  const clocks = new Map<string, Map<number, number[]>>();
  function clockOf(zone: string, date: string): Map<number, number[]> {
    const key = `${zone} ${date}`;
    let clock = clocks.get(key);
    if (!clock) {
      clock = new Map();
      const begin = at(`${date}T00:00:00Z`) - 3 * DAY;
      for (let instant = begin; instant < begin + 7 * DAY; instant += MINUTE) {
        const local = localAt(zone, instant);
        clock.set(local, [...(clock.get(local) ?? []), instant]);
      }
      clocks.set(key, clock);
    }
    return clock;
  }

  /** What the rules of SPEC.md say, taken word by word. */
  function expectedSlots(cron: string, zone: string, date: string): number[] {
    const { rule } = calendarOf(cron, zone);
    const clock = clockOf(zone, date);
    const found = new Set<number>();
    const begin = at(`${date}T00:00:00Z`) - 2 * DAY;
    for (let local = begin; local < begin + 5 * DAY; local += MINUTE) {
      const time = new Date(local);
      if (!rule.minutes.includes(time.getUTCMinutes()) || !rule.hours.includes(time.getUTCHours())) continue;
      if (!isOnDate(rule, Math.floor(local / DAY) * DAY)) continue;
      const instants = clock.get(local) ?? [];
      if (rule.hours.length === 24) for (const instant of instants) found.add(instant);
      else if (instants.length > 0) found.add(instants[0]!);
      else {
        // In a gap: as many minutes after its beginning as the clock would have shown.
        let minutes = 0;
        while (!clock.has(local - minutes * MINUTE)) minutes += 1;
        found.add(clock.get(local - minutes * MINUTE)![0]! + minutes * MINUTE);
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  it('Z2 Z3 Z4 Z5: the slots are those that the clock of every single minute gives', {
    timeout: 120_000,
  }, () => {
    fc.assert(
      fc.property(aCron, aPlace, (cron, [zone, date]) => {
        const from = at(`${date}T00:00:00Z`) - DAY;
        const until = from + 3 * DAY;
        const expected = expectedSlots(cron, zone, date).filter((slot) => slot >= from && slot <= until);
        expect(slotsBetween(calendarOf(cron, zone), from, until, 10_000)).toEqual(expected);
      }),
      { numRuns: 600 },
    );
  });

  it('the next slot is the same from wherever one looks', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(
        aCron,
        aPlace,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
        (cron, [zone, date], looks) => {
          const calendar = calendarOf(cron, zone);
          const from = at(`${date}T00:00:00Z`) - DAY;
          const all = slotsBetween(calendar, from, from + 4 * DAY, 10_000);
          for (const look of looks) {
            const instant = Math.floor(from + look * 3 * DAY);
            const later = all.find((slot) => slot > instant);
            if (later !== undefined) expect(nextSlot(calendar, instant)).toBe(later);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('a daily schedule has one slot for each local date over twenty years, in every zone', {
    timeout: 120_000,
  }, () => {
    for (const [zone] of ZONES) {
      const found = slotsBetween(
        calendarOf('30 2 * * *', zone),
        at('2010-01-01T12:00:00Z'),
        at('2030-01-01T12:00:00Z'),
        100_000,
      );
      const dates = found.map((slot) => Math.floor(localAt(zone, slot) / DAY));
      const skipped = zone === 'Pacific/Apia' ? 1 : 0;
      expect(new Set(dates).size, zone).toBe(dates.length);
      expect(dates.at(-1)! - dates[0]! + 1 - skipped, zone).toBe(dates.length);
    }
  });
});

describe('far ahead', () => {
  test.each([
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 0 29 2 *', '2096-03-01T00:00:00Z', '2104-02-29T00:00:00.000Z'],
    ['59 23 31 12 *', '2026-12-31T23:59:00Z', '2027-12-31T23:59:00.000Z'],
    ['* * * * *', '2026-01-01T00:00:00.001Z', '2026-01-01T00:01:00.000Z'],
  ])('%s after %s comes %s', (cron, after, slot) => {
    expect(new Date(nextSlot(calendarOf(cron, 'UTC'), at(after))!).toISOString()).toBe(slot);
  });

  it('there is none beyond the year 9999', () => {
    expect(nextSlot(calendarOf('0 0 1 1 *', 'UTC'), at('9998-06-01T00:00:00Z'))).toBeUndefined();
  });
});

test('zones are names of the IANA database', () => {
  for (const name of [
    'UTC',
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
    'America/Port-au-Prince',
  ])
    expect(isTimeZone(name), name).toBe(true);
  for (const name of ['', 'Berlin', '+02:00', 'GMT+25', 'Europe/Atlantis', 'Europe/Berlin\u0000', '../etc'])
    expect(isTimeZone(name), name).toBe(false);
});

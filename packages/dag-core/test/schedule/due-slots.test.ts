// Which mistake would this catch? A slot that is neither run nor counted as missed after an outage, or one that is run although its
// policy says no; two runs at once where the policy forbids it, or a slot that waits for ever.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  CATCH_UPS,
  type CatchUp,
  decideDueSlots,
  decideOverlap,
  fireAtMs,
  MOST_CAUGHT_UP,
  MOST_WAITING,
  ON_TIME_MS,
  OVERLAPS,
  parseCron,
  type SlotOrigin,
  slotJitterMs,
  slotsBetween,
} from '../../src/index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-01-01T00:00:00Z');
const calendar = (cron: string) => ({ rule: parseCron(cron).rule!, timeZone: 'UTC' });
const hourly = calendar('0 * * * *');
const due = (
  lateMs: number,
  catchUp: CatchUp,
  more: { catchUpWindowMs?: number; cron?: string; jitterMs?: number } = {},
) =>
  decideDueSlots({
    calendar: more.cron ? calendar(more.cron) : hourly,
    nextMs: START,
    nowMs: START + lateMs,
    catchUp,
    catchUpWindowMs: more.catchUpWindowMs ?? 24 * HOUR,
    jitterOf: (slot) => slotJitterMs('s', slot, more.jitterMs ?? 0),
  });
const scheduled = (slotMs: number) => ({ slotMs, origin: 'scheduled' });
const caughtUp = (slotMs: number) => ({ slotMs, origin: 'catch_up' });

describe('Z6: what is due', () => {
  test.each(CATCH_UPS)('before its instant nothing is, and at its instant the slot is (%s)', (catchUp) => {
    expect(due(-1, catchUp)).toEqual({ run: [], missed: [], missedCount: 0, nextMs: START });
    expect(due(0, catchUp)).toEqual({
      run: [scheduled(START)],
      missed: [],
      missedCount: 0,
      nextMs: START + HOUR,
    });
  });

  test.each(CATCH_UPS)('C35: late by no more than a takeover takes it is on time (%s)', (catchUp) => {
    expect(due(ON_TIME_MS, catchUp)).toMatchObject({ run: [scheduled(START)], missedCount: 0 });
    expect(due(ON_TIME_MS + 1, catchUp)).toMatchObject(
      catchUp === 'none'
        ? { run: [], missed: [START], missedCount: 1 }
        : { run: [caughtUp(START)], missedCount: 0 },
    );
  });

  const outage = 5 * HOUR + 2 * MINUTE;
  const slots = [0, 1, 2, 3, 4, 5].map((hour) => START + hour * HOUR);

  it('after an outage none runs with "none", the newest with "last", every one with "all", in order', () => {
    expect(due(outage, 'none')).toEqual({ run: [], missed: slots, missedCount: 6, nextMs: START + 6 * HOUR });
    expect(due(outage, 'last')).toMatchObject({
      run: [caughtUp(slots[5]!)],
      missed: slots.slice(0, 5),
      missedCount: 5,
    });
    expect(due(outage, 'all')).toMatchObject({ run: slots.map(caughtUp), missed: [], missedCount: 0 });
  });

  it('"last" leaves it at the slot that is on time, where there is one', () => {
    expect(due(5 * HOUR, 'last')).toMatchObject({ run: [scheduled(slots[5]!)], missed: slots.slice(0, 5) });
    expect(due(5 * HOUR, 'all').run).toEqual([...slots.slice(0, 5).map(caughtUp), scheduled(slots[5]!)]);
  });

  it('catch-up reaches as far back as its window', () => {
    const catchUpWindowMs = 3 * HOUR;
    expect(due(outage, 'all', { catchUpWindowMs })).toMatchObject({
      run: slots.slice(3).map(caughtUp),
      missedCount: 3,
    });
    expect(due(outage, 'last', { catchUpWindowMs: MINUTE })).toMatchObject({ run: [], missedCount: 6 });
  });

  it('after a long outage what is run and named is bounded, and everything is counted', () => {
    const days = 20;
    const found = due(days * 24 * HOUR + 30_000, 'all', {
      cron: '* * * * *',
      catchUpWindowMs: 31 * 24 * HOUR,
    });
    const slotCount = days * 1_440 + 1;
    expect(found.run).toHaveLength(MOST_CAUGHT_UP + 1);
    expect(found.missedCount).toBe(slotCount - MOST_CAUGHT_UP - 1);
    expect(found.missed).toHaveLength(1_000);
    expect(found.missed.at(-1)! + MINUTE).toBe(found.run[0]!.slotMs);
  });

  it('a very long outage is decided in pieces, and "last" still runs one slot only', () => {
    let nextMs: number | undefined = START;
    const nowMs = START + 150 * 24 * HOUR + 90_000;
    const run: unknown[] = [];
    let missed = 0;
    let pieces = 0;
    while (nextMs !== undefined && nextMs <= nowMs) {
      const found = decideDueSlots({
        calendar: calendar('* * * * *'),
        nextMs,
        nowMs,
        catchUp: 'last',
        catchUpWindowMs: 31 * 24 * HOUR,
        jitterOf: () => 0,
      });
      run.push(...found.run);
      missed += found.missedCount;
      nextMs = found.nextMs;
      pieces += 1;
    }
    expect(pieces).toBe(3);
    expect(run).toHaveLength(1);
    expect(missed + run.length).toBe(150 * 1_440 + 2);
  });

  it('whatever the policy, every slot is run, missed or still to come: none twice, none lost', {
    timeout: 60_000,
  }, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CATCH_UPS),
        fc.constantFrom('* * * * *', '*/7 * * * *', '0 * * * *', '0 3 * * *'),
        fc.integer({ min: 0, max: 3 * 24 * HOUR }),
        fc.integer({ min: 0, max: 2 * 24 * HOUR }),
        fc.constantFrom(0, 30_000, HOUR),
        (catchUp, cron, lateMs, catchUpWindowMs, jitterMs) => {
          const { run, missed, missedCount, nextMs } = due(lateMs, catchUp, {
            cron,
            catchUpWindowMs,
            jitterMs,
          });
          const decided = [...run.map(({ slotMs }) => slotMs), ...missed].sort((a, b) => a - b);
          const before = slotsBetween(calendar(cron), START, nextMs! - 1, 100_000);
          expect(new Set(decided).size).toBe(decided.length);
          expect(run.length + missedCount).toBe(before.length);
          // Named ones are the newest; with jitter they need not be in order.
          expect(before.slice(before.length - decided.length)).toEqual(decided);
          expect(fireAtMs('s', nextMs, jitterMs)!).toBeGreaterThan(START + lateMs);
        },
      ),
      { numRuns: 150 },
    );
  });
});

test('Z8: jitter is the same for everybody, within its bound, and spreads', () => {
  const jitters = Array.from({ length: 200 }, (_, i) => slotJitterMs('id', START + i * MINUTE, 10_000));
  expect(jitters).toEqual(
    Array.from({ length: 200 }, (_, i) => slotJitterMs('id', START + i * MINUTE, 10_000)),
  );
  expect(Math.min(...jitters)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...jitters)).toBeLessThanOrEqual(10_000);
  expect(new Set(jitters).size).toBeGreaterThan(150);
  expect(slotJitterMs('id', START, 0)).toBe(0);
  expect(fireAtMs('id', undefined, 5)).toBeUndefined();
});

describe('Z7: a slot while earlier runs are open', () => {
  const waiting = (...slots: [number, SlotOrigin?][]) =>
    slots.map(([slotMs, origin = 'scheduled']) => ({ slotMs, origin }));
  const free = { live: 0, backfill: 0 };
  const busy = { live: 1, backfill: 0 };

  it('skip: the new one is skipped, and of several only the first runs', () => {
    expect(decideOverlap({ overlap: 'skip', waiting: waiting([1]), open: busy })).toEqual({
      start: [],
      skip: [{ slotMs: 1, reason: 'overlap' }],
      cancelOpen: false,
    });
    expect(decideOverlap({ overlap: 'skip', waiting: waiting([1], [2]), open: free })).toMatchObject({
      start: [1],
      skip: [{ slotMs: 2, reason: 'overlap' }],
    });
  });

  it('queue: they run one after the other, and not more than so many wait', () => {
    expect(decideOverlap({ overlap: 'queue', waiting: waiting([1], [2]), open: busy })).toMatchObject({
      start: [],
      skip: [],
    });
    expect(decideOverlap({ overlap: 'queue', waiting: waiting([1], [2]), open: free })).toMatchObject({
      start: [1],
      skip: [],
    });
    const many = waiting(...Array.from({ length: MOST_WAITING + 2 }, (_, i): [number] => [i]));
    expect(decideOverlap({ overlap: 'queue', waiting: many, open: busy }).skip).toEqual([
      { slotMs: MOST_WAITING, reason: 'too_many_waiting' },
      { slotMs: MOST_WAITING + 1, reason: 'too_many_waiting' },
    ]);
    expect(decideOverlap({ overlap: 'queue', waiting: many, open: free })).toMatchObject({
      start: [0],
      skip: [{ slotMs: MOST_WAITING + 1 }],
    });
  });

  it('cancel_other: the newest waits until the others have ended', () => {
    const superseded = [{ slotMs: 1, reason: 'superseded' }];
    expect(decideOverlap({ overlap: 'cancel_other', waiting: waiting([1], [2]), open: busy })).toEqual({
      start: [],
      skip: superseded,
      cancelOpen: true,
    });
    expect(decideOverlap({ overlap: 'cancel_other', waiting: waiting([1], [2]), open: free })).toEqual({
      start: [2],
      skip: superseded,
      cancelOpen: false,
    });
  });

  it('allow: all of them', () => {
    expect(
      decideOverlap({ overlap: 'allow', waiting: waiting([1], [2], [0, 'backfill']), open: busy }),
    ).toEqual({
      start: [1, 2, 0],
      skip: [],
      cancelOpen: false,
    });
  });

  test.each(['skip', 'queue', 'cancel_other'] as const)(
    'a backfill gives way to the clock and never makes it lose a slot (%s)',
    (overlap) => {
      const both = waiting([5], [1, 'backfill'], [2, 'backfill']);
      expect(decideOverlap({ overlap, waiting: both, open: free })).toMatchObject({ start: [5], skip: [] });
      expect(decideOverlap({ overlap, waiting: both, open: { live: 0, backfill: 1 } })).toMatchObject({
        start: [],
        skip: [],
      });
      expect(decideOverlap({ overlap, waiting: both.slice(1), open: free })).toMatchObject({
        start: [1],
        skip: [],
      });
      expect(decideOverlap({ overlap, waiting: both.slice(1), open: busy })).toMatchObject({
        start: [],
        cancelOpen: false,
      });
    },
  );

  it('played to the end: no two runs at once unless allowed, and every slot ends as a run or skipped', () => {
    const aSlot = fc.tuple(fc.nat(1_000), fc.constantFrom<SlotOrigin>('scheduled', 'catch_up', 'backfill'));
    fc.assert(
      fc.property(
        fc.constantFrom(...OVERLAPS),
        fc.uniqueArray(aSlot, { selector: ([slot]) => slot, maxLength: 30 }),
        fc.array(fc.nat(3), { minLength: 200, maxLength: 200 }),
        (overlap, coming, moves) => {
          const left = [...coming];
          const open: SlotOrigin[] = [];
          let lined: { slotMs: number; origin: SlotOrigin }[] = [];
          const ended = new Map<number, string>();
          const look = () => {
            const live = open.filter((origin) => origin !== 'backfill').length;
            const answer = decideOverlap({
              overlap,
              waiting: lined,
              open: { live, backfill: open.length - live },
            });
            for (const { slotMs, reason } of answer.skip) ended.set(slotMs, reason);
            for (const slotMs of answer.start) {
              ended.set(slotMs, 'run');
              open.push(lined.find((slot) => slot.slotMs === slotMs)!.origin);
            }
            lined = lined.filter(({ slotMs }) => !ended.has(slotMs));
            if (answer.cancelOpen) open.length = 0;
            if (overlap !== 'allow') expect(open.length).toBeLessThanOrEqual(1);
          };
          for (const move of moves) {
            if (move === 0) open.shift();
            else if (left.length > 0) {
              const [slotMs, origin] = left.shift()!;
              lined = [...lined, { slotMs, origin }].sort((a, b) => a.slotMs - b.slotMs);
            }
            look();
          }
          while (lined.length > 0 || left.length > 0) {
            for (const [slotMs, origin] of left.splice(0)) lined.push({ slotMs, origin });
            open.shift();
            look();
          }
          expect([...ended.keys()].sort((a, b) => a - b)).toEqual(
            coming.map(([slot]) => slot).sort((a, b) => a - b),
          );
          for (const [slotMs, origin] of coming)
            if (origin === 'backfill') expect(ended.get(slotMs)).toBe('run');
        },
      ),
    );
  });
});

// Which mistake would this catch? A cursor that cannot stop at what happened in a sub-flow, or that jumps when one is opened.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seqAt, stopAt, stopsOf } from '../../../src/run/cursor.ts';
import type { RunHistory } from '../../../src/run/history.ts';

const journal = (...times: number[]) =>
  ({ events: times.map((at, index) => ({ seq: index + 1, at })) }) as unknown as RunHistory;

describe('the stops of the time cursor', () => {
  it('are the events of the run, and in between the moments in which something happened in others', () => {
    const stops = stopsOf(journal(10, 20, 50), [journal(20, 25, 25, 40), journal(30, 60)]);
    expect(stops).toEqual([
      { seq: 1, afterMs: 0 },
      { seq: 2, afterMs: 0 },
      { seq: 2, afterMs: 5 },
      { seq: 2, afterMs: 10 },
      { seq: 2, afterMs: 20 },
      { seq: 3, afterMs: 0 },
      { seq: 3, afterMs: 10 },
    ]);
  });

  it('without others are the events alone', () => {
    expect(stopsOf(journal(10, 10, 30), []).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('pass every event of every run, one after the other', () => {
    const times = fc
      .array(fc.integer({ min: 0, max: 200 }), { minLength: 1 })
      .map((all) => all.sort((a, b) => a - b));
    fc.assert(
      fc.property(times, times, (own, inner) => {
        const [run, other] = [journal(...own), journal(...inner)];
        const stops = stopsOf(run, [other]);
        expect(new Set(stops.map(({ seq }) => seq)).size).toBe(own.length);
        const seen = stops.map(({ seq, afterMs }) => seqAt(other, own[seq - 1]! + afterMs));
        expect(seen).toEqual(seen.toSorted((a, b) => a - b));
        expect(seen.at(-1)).toBe(inner.length);
        for (const [index, stop] of stops.entries()) expect(stopAt(stops, stop)).toBe(index);
      }),
    );
  });

  it('that is no stop any more is the last one before it', () => {
    const stops = stopsOf(journal(10, 20), []);
    expect(stopAt(stops, { seq: 1, afterMs: 7 })).toBe(0);
    expect(stopAt(stops, { seq: 9, afterMs: 0 })).toBe(1);
  });
});

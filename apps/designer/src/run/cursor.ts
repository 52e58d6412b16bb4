import type { RunHistory } from './history.ts';

/**
 * A point in the time of a run: after which of its events, and how many milliseconds later. In between nothing happened in the run
 * itself, but something may have in the runs of its sub-flows.
 */
export interface Cursor {
  readonly seq: number;
  readonly afterMs: number;
}

/** Epoch milliseconds, clock of the database. */
export const timeOf = ({ events }: RunHistory, { seq, afterMs }: Cursor): number =>
  (events[seq - 1]?.at ?? 0) + afterMs;

/** The last event of a journal that was not after `time`; 0: none. */
export function seqAt({ events }: RunHistory, time: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.at <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the cursor can stand: at each event of a run, and at each millisecond in between in which something happened in `others`. */
export function stopsOf({ events }: RunHistory, others: readonly RunHistory[]): readonly Cursor[] {
  const times = [...new Set(others.flatMap((other) => other.events.map(({ at }) => at)))].sort(
    (a, b) => a - b,
  );
  const stops: Cursor[] = [];
  let next = 0;
  events.forEach(({ seq, at }, index) => {
    stops.push({ seq, afterMs: 0 });
    const end = events[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    for (; next < times.length && times[next]! < end; next += 1)
      if (times[next]! > at) stops.push({ seq, afterMs: times[next]! - at });
  });
  return stops;
}

/** Which of the stops the cursor stands at, or has passed last. */
export function stopAt(stops: readonly Cursor[], { seq, afterMs }: Cursor): number {
  const isPassed = (stop: Cursor) => stop.seq < seq || (stop.seq === seq && stop.afterMs <= afterMs);
  return Math.max(0, stops.findLastIndex(isPassed));
}

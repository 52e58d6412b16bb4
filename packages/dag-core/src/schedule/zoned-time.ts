// Local time is held as a number too: the milliseconds that UTC would have when its clock shows the same. So a local day is
// 86,400,000 wide whatever the zone does, and only the two functions here know of offsets.

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clocks.set(timeZone, clock);
  }
  return clock;
}

/** True for the name of a zone in the IANA database, `UTC` included; offsets such as `+02:00` are no zones: they know no summer. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+\-/]{1,63}$/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** What the clock of a zone shows at an instant (epoch milliseconds, years 1…9999), as local milliseconds. */
export function localAt(timeZone: string, instantMs: number): number {
  const shown: Record<string, number> = {};
  for (const { type, value } of clockOf(timeZone).formatToParts(instantMs)) shown[type] = Number(value);
  const { year, month, day, hour, minute, second } = shown as Record<
    'year' | 'month' | 'day' | 'hour' | 'minute' | 'second',
    number
  >;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((instantMs % 1_000) + 1_000) % 1_000);
}

const offsetAt = (timeZone: string, instantMs: number): number => localAt(timeZone, instantMs) - instantMs;

/** Apart at most this long, two looks at a zone see every change of its offset that ever was. */
const LOOK_MS = 12 * HOUR_MS;

/** The offsets that a zone has around a local day, each once. One: every local time of that day exists exactly once. */
export function offsetsAround(timeZone: string, localDay: number): readonly number[] {
  const offsets = new Set<number>();
  for (let at = localDay - DAY_MS; at <= localDay + 2 * DAY_MS; at += LOOK_MS)
    offsets.add(offsetAt(timeZone, at));
  return [...offsets];
}

/** The instants at which a zone's clock shows a local time, in order: one; none in a gap; two where the clock was set back. */
export function instantsOf(timeZone: string, localMs: number, offsets: readonly number[]): number[] {
  const instants = offsets.map((offset) => localMs - offset);
  return instants.filter((instant) => localAt(timeZone, instant) === localMs).sort((a, b) => a - b);
}

/**
 * The instant that stands for a local time which does not exist: read with the offset from before the gap (RFC 5545, 3.3.5),
 * so it comes as long after the beginning of the gap as the clock would have shown.
 */
export function afterGap(timeZone: string, localMs: number, offsets: readonly number[]): number {
  const before = offsets.filter((offset) => {
    const then = offsetAt(timeZone, localMs - offset);
    return then > offset && offsetAt(timeZone, localMs - then) === offset;
  });
  return localMs - (before[0] ?? Math.min(...offsets));
}

import { type CronRule, isEveryHour, isOnDate } from './cron.ts';
import { afterGap, DAY_MS, HOUR_MS, instantsOf, localAt, offsetsAround } from './zoned-time.ts';

// Rules kept here: Z3 every hour goes by the running clock; Z4 fixed hours are one slot for each local time that is named,
// in a gap and where the clock is set back too; Z5 slots that fall on one instant are one slot.

/** The slots of a rule in a zone. */
export interface Calendar {
  readonly rule: CronRule;
  /** IANA name, checked with `isTimeZone`. */
  readonly timeZone: string;
}

/** No zone is further ahead of UTC than this. */
const MOST_AHEAD_MS = 15 * HOUR_MS;
/** A gap moves a slot by a day at most (Samoa skipped one when it crossed the date line). */
const MOST_MOVED_MS = DAY_MS + MOST_AHEAD_MS;
/** 29 February may be eight years away; after this many days without a slot there is none. */
const MOST_DAYS = 9 * 366;

/**
 * The slots after an instant, in order, without end (until the year 9999).
 *
 * @param afterMs epoch milliseconds; the first slot is later
 * @returns epoch milliseconds, whole minutes of the local clock, ascending, each once (Z5)
 */
export function* slotsAfter(calendar: Calendar, afterMs: number): Generator<number, void, void> {
  const { rule, timeZone } = calendar;
  const found: number[] = [];
  let day = Math.floor((localAt(timeZone, afterMs) - MOST_MOVED_MS) / DAY_MS) * DAY_MS;
  let last = afterMs;
  for (let idle = 0; idle <= MOST_DAYS && day < LAST_DAY; day += DAY_MS) {
    if (isOnDate(rule, day)) found.push(...slotsOfDate(calendar, day).filter((slot) => slot > last));
    found.sort((a, b) => a - b);
    // What a later date names comes after this.
    const settledMs = day + DAY_MS - MOST_AHEAD_MS;
    idle = found.length > 0 ? 0 : idle + 1;
    while (found.length > 0 && found[0]! < settledMs) {
      const slot = found.shift()!;
      if (slot <= last) continue;
      last = slot;
      yield slot;
    }
  }
}

const LAST_DAY = Date.UTC(9999, 0, 1);

/** The first slot after an instant; undefined when there is none. */
export function nextSlot(calendar: Calendar, afterMs: number): number | undefined {
  const { value } = slotsAfter(calendar, afterMs).next();
  return value ?? undefined;
}

/**
 * The slots from an instant up to another, both included.
 *
 * @param most no more than this many, the first ones
 */
export function slotsBetween(calendar: Calendar, fromMs: number, untilMs: number, most: number): number[] {
  const slots: number[] = [];
  for (const slot of slotsAfter(calendar, fromMs - 1)) {
    if (slot > untilMs || slots.length >= most) break;
    slots.push(slot);
  }
  return slots;
}

function slotsOfDate({ rule, timeZone }: Calendar, localDay: number): number[] {
  const offsets = offsetsAround(timeZone, localDay);
  const slots: number[] = [];
  for (const hour of rule.hours) {
    for (const minute of rule.minutes) {
      const local = localDay + hour * HOUR_MS + minute * 60_000;
      if (offsets.length === 1) slots.push(local - offsets[0]!);
      else slots.push(...slotsOfLocal(rule, timeZone, local, offsets));
    }
  }
  return slots;
}

function slotsOfLocal(rule: CronRule, timeZone: string, local: number, offsets: readonly number[]): number[] {
  const instants = instantsOf(timeZone, local, offsets);
  if (isEveryHour(rule)) return instants;
  return [instants[0] ?? afterGap(timeZone, local, offsets)];
}

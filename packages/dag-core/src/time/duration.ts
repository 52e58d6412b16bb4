import type { Json } from '../json.ts';

/** A length of time: whole calendar months (UTC) and milliseconds, each 0 or more. */
export interface Duration {
  readonly months: number;
  readonly ms: number;
}

/** The longest timer (semantics §8). */
export const TEN_YEARS: Duration = { months: 120, ms: 0 };

const UNIT_MS = { weeks: 604_800_000, days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000 };
const ISO =
  /^P(?:(?<years>\d+)Y)?(?:(?<months>\d+)M)?(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d{1,3})?)S)?)?$/;

/**
 * Reads a duration: milliseconds as a number, or ISO 8601 text such as `PT90S`, `P1DT12H`, `P2W`, `P1M`. Years and months are
 * those of the calendar.
 *
 * @returns undefined when the value is neither, is negative, or is longer than any timer
 */
export function parseDuration(value: Json): Duration | undefined {
  if (typeof value === 'number') return inBounds({ months: 0, ms: value });
  if (typeof value !== 'string') return undefined;
  const parts = ISO.exec(value)?.groups;
  if (!parts || value.endsWith('P') || value.endsWith('T')) return undefined;
  const amount = (name: string) => Number(parts[name] ?? 0);
  const ms = Object.entries(UNIT_MS).reduce((sum, [unit, size]) => sum + amount(unit) * size, 0);
  return inBounds({ months: amount('years') * 12 + amount('months'), ms: Math.round(ms) });
}

/** Ten years of days; which calendar years they are is seen when the end is computed. */
const MOST_MS = 3_653 * UNIT_MS.days;

const inBounds = ({ months, ms }: Duration): Duration | undefined =>
  ms >= 0 && ms <= MOST_MS && months <= TEN_YEARS.months ? { months, ms } : undefined;

/**
 * The instant a duration after another one, epoch milliseconds. A day that the month reached does not have becomes its last
 * (one month after 31 January is the last of February).
 */
export function addDuration(fromMs: number, { months, ms }: Duration): number {
  if (months === 0) return fromMs + ms;
  const from = new Date(fromMs);
  const reached = new Date(fromMs);
  reached.setUTCDate(1);
  reached.setUTCMonth(from.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(reached.getUTCFullYear(), reached.getUTCMonth() + 1, 0)).getUTCDate();
  reached.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return reached.getTime() + ms;
}

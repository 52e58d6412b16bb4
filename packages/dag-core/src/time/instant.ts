import type { Json } from '../json.ts';

const ISO =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:T(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?(?:Z|(?<sign>[+-])(?<zoneHour>\d\d):(?<zoneMinute>\d\d)))?$/i;
/** The last instant that ISO 8601 text with four digits of year can say. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads an instant: epoch milliseconds as a number, or ISO 8601 text with its offset, such as `2027-03-01T09:00:00+08:00`. A date
 * alone is its midnight in UTC. Text without an offset is no instant, because it means another one in each place.
 *
 * @returns epoch milliseconds; undefined when the value is no instant, or one that the calendar does not have
 */
export function parseInstant(value: Json): number | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) && Math.abs(value) <= LAST_MS ? Math.floor(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const parts = ISO.exec(value)?.groups;
  if (!parts) return undefined;
  const part = (name: string) => Number(parts[name] ?? 0);
  const { sign, fraction = '' } = parts;
  const local = new Date(
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')),
  );
  const isOnCalendar =
    local.getUTCMonth() === part('month') - 1 && local.getUTCDate() === part('day') && part('hour') < 24;
  if (!isOnCalendar || part('minute') > 59 || part('second') > 59 || part('zoneMinute') > 59)
    return undefined;
  const offsetMs = (part('zoneHour') * 60 + part('zoneMinute')) * 60_000 * (sign === '-' ? -1 : 1);
  return local.getTime() - offsetMs + Math.floor(Number(`0.${fraction || 0}`) * 1_000);
}

/** An instant as the ISO 8601 text that every answer uses: UTC, milliseconds. */
export const instantText = (ms: number): string => new Date(ms).toISOString();

import { StoreError } from '../errors.ts';
import { isId } from '../ids.ts';

/** Where an effect stands in the log: by time, then by run and place. `at` with microseconds, as PostgreSQL keeps it. */
export interface EffectPlace {
  readonly at: string;
  readonly runId: string;
  readonly seq: number;
}

/** Column expression for {@link EffectPlace.at}. */
export const placeAt = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Newest first. */
export function compareEffects(a: EffectPlace, b: EffectPlace): number {
  return descending(a.at, b.at) || descending(a.runId, b.runId) || b.seq - a.seq;
}

const descending = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0);

/** Cursor that starts behind an effect. */
export function cursorAfterEffect({ at, runId, seq }: EffectPlace): string {
  return Buffer.from(JSON.stringify([at, runId, seq])).toString('base64url');
}

/**
 * The effect a cursor starts behind.
 *
 * @throws {StoreError} `cursor_invalid`
 */
export function effectOfCursor(cursor: string): EffectPlace {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw new StoreError('cursor_invalid');
  }
  const [at, runId, seq] = Array.isArray(parts) ? (parts as unknown[]) : [];
  const isPlace =
    typeof at === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) &&
    !Number.isNaN(Date.parse(at)) &&
    typeof runId === 'string' &&
    isId(runId) &&
    typeof seq === 'number' &&
    Number.isInteger(seq) &&
    seq > 0 &&
    seq < 2 ** 31;
  if (!isPlace) throw new StoreError('cursor_invalid');
  return { at, runId, seq };
}

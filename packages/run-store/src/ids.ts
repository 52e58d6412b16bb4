import { randomBytes } from 'node:crypto';

// UUIDv7 (RFC 9562): 48 bits of epoch milliseconds, then a 12-bit counter that keeps ids of one process in order, then 62
// random bits. Ids sort by time, which is what partitions by month, "newest first" and keyset cursors rely on.

interface Generator {
  lastMs: number;
  counter: number;
}
const byClock: Generator = { lastMs: -1, counter: 0 };
const byInstant: Generator = { lastMs: -1, counter: 0 };

const MAX_MS = 2 ** 48 - 1;
const MAX_COUNTER = 0xfff;

/**
 * A new UUIDv7.
 *
 * @param nowMs epoch milliseconds the id shall carry. Absent: the system clock, and each id is then greater than every one made
 *              before it in this process, also when the clock is set back. Given: exactly that instant; ids asked for with the
 *              same instant one after another increase.
 * @returns 36 characters, lower case
 */
export function newId(nowMs?: number): string {
  return nowMs === undefined ? next(byClock, Math.max(Date.now(), byClock.lastMs)) : next(byInstant, nowMs);
}

/** A new run id: a UUIDv7, so that it names the partition the run lives in. See {@link newId}. */
export function newRunId(nowMs?: number): string {
  return newId(nowMs);
}

/**
 * The smallest id of an instant: every UUIDv7 made at or after it is greater, every one made before it is smaller.
 *
 * @param ms epoch milliseconds, 0 … 2^48−1
 */
export function firstIdAt(ms: number): string {
  return format(ms, Buffer.alloc(10));
}

/** Epoch milliseconds a UUIDv7 carries. */
export function instantOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** True for text in the form of a UUID; anything else never reaches the database, which would answer with an error. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}

function next(generator: Generator, ms: number): string {
  if (ms !== generator.lastMs) {
    // The counter starts in its lower half, so that a burst within one millisecond has room.
    generator.counter = randomBytes(2).readUInt16BE() & (MAX_COUNTER >> 1);
    generator.lastMs = ms;
  } else if (++generator.counter > MAX_COUNTER) {
    if (generator === byClock) return next(generator, ms + 1);
    generator.counter = 0;
  }
  const tail = randomBytes(10);
  tail.writeUInt16BE(0x7000 | generator.counter, 0);
  tail[2] = 0x80 | (tail[2]! & 0x3f);
  return format(ms, tail);
}

function format(ms: number, tail: Buffer): string {
  if (!Number.isSafeInteger(ms) || ms < 0 || ms > MAX_MS) {
    throw new RangeError(`An id carries epoch milliseconds from 0 to ${MAX_MS}, not ${ms}.`);
  }
  const time = ms.toString(16).padStart(12, '0');
  const rest = tail.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8)}`;
}

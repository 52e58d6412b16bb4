/** Each pause between two questions is this much longer than the one before. */
const FACTOR = 1.5;
/** Up to this, unless the tool begins with a longer one. */
const LONGEST_MS = 300_000;
/** Spread, so that what was accepted together is not asked about together. */
const JITTER = 0.2;
/** As long as a call may take; a longer wish is not there. */
const LONGEST_WISH_MS = 366 * 86_400_000;

/**
 * Delay before a tool is asked again how a call stands (T23).
 *
 * @param asked        how often it was asked, 1 or more
 * @param everyMs      the pause before it was asked first, milliseconds
 * @param random       0…1, lengthens the delay by up to a fifth
 * @param retryAfterMs what the tool or its service wishes; counts instead of the growing pause
 * @returns milliseconds, 1 or more
 */
export function pollDelayMs(asked: number, everyMs: number, random: number, retryAfterMs?: number): number {
  const isWish = retryAfterMs !== undefined && retryAfterMs > 0 && retryAfterMs <= LONGEST_WISH_MS;
  const pauseMs = isWish ? retryAfterMs : Math.min(Math.max(everyMs, LONGEST_MS), everyMs * FACTOR ** asked);
  return Math.ceil(pauseMs * (1 + JITTER * random));
}

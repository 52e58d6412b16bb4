import type { RetryPolicy } from '../graph/document.ts';

/** Defaults of semantics §2: four attempts, from one second, doubling, at most a minute, a fifth of jitter. */
export const DEFAULT_RETRY = {
  maxAttempts: 4,
  initialMs: 1_000,
  factor: 2,
  maxMs: 60_000,
  jitter: 0.2,
} as const;

/** A server's `Retry-After` is obeyed up to a day; anything longer is treated as absent. */
const LONGEST_RETRY_AFTER_MS = 86_400_000;

/**
 * Delay before the next attempt (T8).
 *
 * @param failures     failed tries so far, 1 or more; lost attempts do not count
 * @param policy       see {@link RetryPolicy}; absent fields take {@link DEFAULT_RETRY}
 * @param random       0…1, spreads the delay by `jitter`; recorded by the caller through the instant it results in
 * @param retryAfterMs what the server asked for; the delay is never shorter
 * @returns milliseconds, 0 or more; undefined when no try is left
 */
export function retryDelayMs(
  failures: number,
  policy: RetryPolicy | undefined,
  random: number,
  retryAfterMs?: number,
): number | undefined {
  const { maxAttempts, initialMs, factor, maxMs, jitter } = { ...DEFAULT_RETRY, ...policy };
  if (failures >= maxAttempts) return undefined;
  const backoffMs = Math.min(maxMs, initialMs * factor ** (failures - 1));
  const spreadMs = backoffMs * (1 + jitter * random);
  const askedMs =
    retryAfterMs !== undefined && retryAfterMs >= 0 && retryAfterMs <= LONGEST_RETRY_AFTER_MS
      ? retryAfterMs
      : 0;
  return Math.ceil(askedMs > 0 ? Math.max(askedMs, Math.min(spreadMs, askedMs * 1.2)) : spreadMs);
}

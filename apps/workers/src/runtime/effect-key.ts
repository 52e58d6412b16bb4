/** Idempotency key of an effect: from run, path and call, never from the attempt (V4). Fit for an HTTP header. */
export const effectKey = (runId: string, path: string, call: number): string => `${runId}:${path}:${call}`;

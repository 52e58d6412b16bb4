/**
 * Idempotency key of an effect: from run, path and call, never from the attempt (V4). Fit for an HTTP header.
 *
 * @param edited place of the answer that gave it other arguments: it is another effect then (T19)
 */
export const effectKey = (runId: string, path: string, call: number, edited?: number): string =>
  edited === undefined ? `${runId}:${path}:${call}` : `${runId}:${path}:${call}:edit-${edited}`;

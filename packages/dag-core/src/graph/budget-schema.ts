import type { JsonObject } from '../json.ts';

/** Ten years in milliseconds: the longest timer (semantics §8). */
export const MAX_MS = 315_360_000_000;

const count: JsonObject = { type: 'integer', minimum: 0 };

/** JSON Schema of the limits of one run. */
export const budgetSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    costUsd: { type: 'number', minimum: 0 },
    tokens: count,
    modelCalls: count,
    wallClockMs: { type: 'integer', minimum: 1, maximum: MAX_MS },
  },
};

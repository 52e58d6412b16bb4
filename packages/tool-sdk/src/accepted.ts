import { ToolDefinitionError } from './errors.ts';
import type { Json } from './json.ts';

/** Marks what `ctx.accepted` gives, across copies of this package. */
const ACCEPTED = Symbol.for('pawl.accepted');
/** A year. */
const MAX_DEADLINE_MS = 366 * 86_400_000;

/** Answered by a tool whose service took the call and tells later how it ended. Made by `ctx.accepted` only. */
export interface Accepted {
  readonly deadlineMs: number;
  readonly data?: Json;
}

/** @throws {ToolDefinitionError} when `deadlineMs` is no whole number from 1 to a year */
export function accepted({ deadlineMs, data }: Accepted): Accepted {
  if (!Number.isInteger(deadlineMs) || deadlineMs < 1 || deadlineMs > MAX_DEADLINE_MS)
    throw new ToolDefinitionError(
      'ctx.accepted',
      `deadlineMs must be a whole number from 1 to ${MAX_DEADLINE_MS}; found ${deadlineMs}.`,
    );
  const made = { deadlineMs, ...(data !== undefined && { data }) };
  Object.defineProperty(made, ACCEPTED, { value: 1 });
  return Object.freeze(made);
}

/** True for what `ctx.accepted` gives, also of another copy of this package. */
export const isAccepted = (value: unknown): value is Accepted =>
  typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[ACCEPTED] === 1;

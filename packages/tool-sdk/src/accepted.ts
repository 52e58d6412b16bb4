import { ToolDefinitionError } from './errors.ts';
import type { Json } from './json.ts';
import { toJson } from './to-json.ts';

/** Marks what `ctx.accepted` gives, across copies of this package. */
const ACCEPTED = Symbol.for('pawl.accepted');
/** A year. */
const MAX_DEADLINE_MS = 366 * 86_400_000;
/** It is recorded and handed over with each poll: a name to ask about, not a document. */
const MAX_REFERENCE_LENGTH = 10_000;

/** Answered by a tool whose service took the call and tells later how it ended. Made by `ctx.accepted` only. */
export interface Accepted {
  readonly deadlineMs: number;
  readonly data?: Json;
  readonly pollEveryMs?: number;
  readonly reference?: Json;
}

/** @throws {ToolDefinitionError} when a time is no whole number from 1 to a year, or `reference` no JSON of at most 10,000 characters */
export function accepted({ deadlineMs, data, pollEveryMs, reference }: Accepted): Accepted {
  demandTime('deadlineMs', deadlineMs);
  if (pollEveryMs !== undefined) demandTime('pollEveryMs', pollEveryMs);
  if (reference !== undefined) demandReference(reference);
  const made = {
    deadlineMs,
    ...(data !== undefined && { data }),
    ...(pollEveryMs !== undefined && { pollEveryMs }),
    ...(reference !== undefined && { reference }),
  };
  Object.defineProperty(made, ACCEPTED, { value: 1 });
  return Object.freeze(made);
}

function demandTime(label: string, ms: number): void {
  if (Number.isInteger(ms) && ms >= 1 && ms <= MAX_DEADLINE_MS) return;
  refuse(`${label} must be a whole number from 1 to ${MAX_DEADLINE_MS}; found ${ms}.`);
}

function demandReference(reference: Json): void {
  const json = toJson(reference);
  if (!json.ok) refuse(`reference must be JSON; found ${json.found} at ${json.pointer || 'its top'}.`);
  const { length } = JSON.stringify(reference);
  if (length > MAX_REFERENCE_LENGTH)
    refuse(
      `reference must be at most ${MAX_REFERENCE_LENGTH} characters of JSON; found ${length}. Keep the name of the job, not the job.`,
    );
}

function refuse(problem: string): never {
  throw new ToolDefinitionError('ctx.accepted', problem);
}

/** True for what `ctx.accepted` gives, also of another copy of this package. */
export const isAccepted = (value: unknown): value is Accepted =>
  typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[ACCEPTED] === 1;

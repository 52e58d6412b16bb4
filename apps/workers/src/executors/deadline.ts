import { type Duration, type Json, parseDuration, parseInstant } from '@pawl/dag-core';
import { cutText } from '@pawl/tool-sdk';

/** How long there is, or until when. @throws {DeadlineInvalidError} when the value is neither a duration nor an instant */
export function timeFor(
  path: string,
  deadline: Json,
): { readonly for: Duration } | { readonly until: number } {
  // A number is a duration: an instant in milliseconds would be mistaken for one of decades.
  const duration = parseDuration(deadline);
  if (duration) return { for: duration };
  const until = typeof deadline === 'string' ? parseInstant(deadline) : undefined;
  if (until !== undefined) return { until };
  throw new DeadlineInvalidError(path, deadline);
}

/** Thrown when a deadline is neither a duration nor an instant. */
class DeadlineInvalidError extends Error {
  readonly code = 'wait_invalid';
  constructor(path: string, value: Json) {
    const given = cutText(JSON.stringify(value), 100);
    super(
      `Node run ${path} needs a deadline: milliseconds, ISO 8601 such as P1D, or an instant with its offset; "deadline" gave ${given}.`,
    );
  }
}

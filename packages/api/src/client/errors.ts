import { isProblemCode, type ProblemCode } from '../problems.ts';
import type { Problem } from '../schemas/index.ts';

/** The engine answered with a problem. `message` is its sentence, `problem` all of its members. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ProblemCode;
  readonly status: number;
  readonly problem: Problem;
  readonly retryAfterMs: number | undefined;

  constructor(problem: Problem, retryAfterMs: number | undefined) {
    super(problem.detail);
    this.code = problem.code;
    this.status = problem.status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer came: nothing listens there, the connection broke, or a name did not resolve. */
export class EngineUnreachableError extends Error {
  override readonly name = 'EngineUnreachableError';
  readonly code = 'engine_unreachable';

  constructor(baseUrl: string, cause: unknown) {
    super(
      `No engine answers at ${baseUrl} (${reasonOf(cause)}): expected a running Pawl engine; start one with \`npm start\` or check the address.`,
      { cause },
    );
  }
}

/** Something answered that does not speak this API, for instance a proxy's error page. */
export class UnexpectedReplyError extends Error {
  override readonly name = 'UnexpectedReplyError';
  readonly code = 'reply_unexpected';
  readonly status: number;

  constructor(url: string, status: number, mediaType: string) {
    super(
      `${url} answered ${status} with ${mediaType || 'no media type'}: expected JSON of the Pawl API; check that the address is an engine's and that no proxy answers in its place.`,
    );
    this.status = status;
  }
}

/** True for the members of a problem that this release knows. */
export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && isProblemCode((value as { code?: unknown }).code);
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause as { code?: unknown; message?: unknown } | undefined;
  return String(inner?.code ?? inner?.message ?? cause.message);
}

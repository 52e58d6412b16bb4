import { isProblemCode, type ProblemCode } from '@pawl/api';
import type { StoreErrorCode } from '@pawl/run-store';
import { HttpProblem, problems } from './http-problem.ts';

/**
 * Store errors that are not problems of the catalogue under their own name. A new code of the store that is neither there
 * nor here does not compile.
 */
const ELSEWHERE: Record<Exclude<StoreErrorCode, ProblemCode>, ProblemCode> = {
  value_too_large: 'internal_error',
  value_lost: 'internal_error',
  schema_newer: 'store_unavailable',
  migration_timeout: 'store_unavailable',
};

/** Codes of sockets (Node) and of PostgreSQL that say: no database, not: a wrong statement. */
const CONNECTION_CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|ENOENT|08\w{3}|57P0[1-5]|53[23]00)$/;
const CONNECTION_WORDS = /connection terminated|timeout exceeded when trying to connect|timeout acquiring/i;

/** What a thrown value is answered with. Only refusals of the store speak to the client; the rest is told without detail. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (!(error instanceof Error)) return problems.internalError(error);
  const { code, values } = error as Error & { code?: unknown; values?: Record<string, unknown> };
  if (error.name === 'StoreError' && typeof code === 'string') return answerOf(error, code, values ?? {});
  if (isConnectionLoss(error)) return problems.storeUnavailable(error);
  return problems.internalError(error);
}

function answerOf(error: Error, code: string, members: Record<string, unknown>): HttpProblem {
  if (code === 'store_unavailable') return problems.storeUnavailable(error);
  if (isProblemCode(code)) return new HttpProblem(code, error.message, { members, cause: error });
  const other = Object.hasOwn(ELSEWHERE, code) ? ELSEWHERE[code as keyof typeof ELSEWHERE] : 'internal_error';
  return other === 'store_unavailable' ? problems.storeUnavailable(error) : problems.internalError(error);
}

function isConnectionLoss(error: Error): boolean {
  const { code, cause } = error as Error & { code?: unknown };
  if (typeof code === 'string' && CONNECTION_CODES.test(code)) return true;
  if (CONNECTION_WORDS.test(error.message)) return true;
  if (error instanceof AggregateError)
    return error.errors.some((each) => each instanceof Error && isConnectionLoss(each));
  return cause instanceof Error && isConnectionLoss(cause);
}

import { PROBLEMS, problemType } from '@pawl/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HttpProblem, problems } from './http-problem.ts';
import { aboutRun } from './observe-requests.ts';
import { discardRest } from './read-bytes.ts';
import { problemOf } from './store-answers.ts';

/** Answers any error as a problem document; causes of 5xx go to the log and nowhere else. */
export function replyProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  bodyLimitBytes: number,
) {
  const problem = problemFor(error, request, bodyLimitBytes);
  if (problem.status >= 500)
    request.log[problem.code === 'internal_error' ? 'error' : 'warn'](
      { code: problem.code, err: problem.cause, ...aboutRun(request) },
      'request failed',
    );
  if (problem.code === 'body_too_large') discardRest(request, reply);
  reply
    .code(problem.status)
    .headers({
      ...retryAfter(problem),
      ...problem.headers,
      'x-request-id': request.id,
      'content-type': 'application/problem+json',
    })
    // Bytes, because a text would be given a charset, which this media type does not have.
    .send(Buffer.from(JSON.stringify(documentOf(problem, request.id))));
}

/** What any error means to whoever asked. */
export const problemFor = (error: unknown, request: FastifyRequest, bodyLimitBytes: number): HttpProblem =>
  ofFramework(error, request, bodyLimitBytes) ?? problemOf(error);

/** The document; standard members win over those of the code. */
export function documentOf(problem: HttpProblem, requestId: string): Record<string, unknown> {
  return {
    ...problem.members,
    type: problemType(problem.code),
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    code: problem.code,
    detail: problem.message,
    requestId,
  };
}

function retryAfter({ status, code, members }: HttpProblem): Record<string, string> {
  if (status !== 429 && status !== 503 && code !== 'dedupe_in_progress') return {};
  const ms = typeof members.retryAfterMs === 'number' ? members.retryAfterMs : 1_000;
  return { 'retry-after': String(Math.max(1, Math.ceil(ms / 1_000))) };
}

function ofFramework(
  error: unknown,
  request: FastifyRequest,
  bodyLimitBytes: number,
): HttpProblem | undefined {
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problems.bodyTooLarge(bodyLimitBytes);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return request.routeOptions.config.takesBytes
        ? problems.bytesNotPlain(`of the media type ${request.headers['content-type']?.slice(0, 100)}`)
        : problems.mediaTypeUnsupported(request.headers['content-type']);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return problems.bodyMalformed('its length is not the one in Content-Length');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return problems.routeNotFound(request.method, 'that was sent');
    default:
      return undefined;
  }
}

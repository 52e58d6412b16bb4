import { type Json, ModelCallError, type ToolFailure } from '@pawl/tool-sdk';

// The catalogue of what can go wrong in a model call. Classes of statuses come from the failure table of the tool SDK.

/** The model name or its options cannot work; nothing was sent. */
export function invalidModel(sentence: string): ModelCallError {
  return new ModelCallError({ code: 'model_invalid', message: sentence, class: 'permanent', sent: false });
}

/** The provider answered with an error status. */
export function callErrorOfHttp(
  model: string,
  status: number,
  failure: ToolFailure,
  cause?: unknown,
): ModelCallError {
  const said = failure.message.replace(/^The service answered \d+:? ?/, '');
  return new ModelCallError(
    {
      code: codeOfStatus(status),
      message: `${model} answered ${status}${said === '' ? '.' : `: ${said}`}`,
      class: failure.class,
      status,
      sent: true,
      ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
      ...(failure.detail === undefined ? {} : { detail: failure.detail }),
    },
    { cause },
  );
}

/** The connection failed. `sent` is false only when it is certain that the request did not leave. */
export function networkCallError(message: string, sent: boolean, cause?: unknown): ModelCallError {
  return new ModelCallError({ code: 'model_network', message, class: 'transient', sent }, { cause });
}

/** Something came, but no answer that can be used. Trying again may help. */
export function unreadableAnswer(message: string, detail?: Json, cause?: unknown): ModelCallError {
  return new ModelCallError(
    {
      code: 'model_answer_unreadable',
      message,
      class: 'transient',
      sent: true,
      ...(detail === undefined ? {} : { detail }),
    },
    { cause },
  );
}

/** The call could not be made: a fault of this program or of its configuration; trying again meets the same. */
export function callNotMade(message: string, sent: boolean, cause?: unknown): ModelCallError {
  return new ModelCallError({ code: 'model_call_failed', message, class: 'permanent', sent }, { cause });
}

/** The call was aborted from outside: `timed_out` when the signal's reason says so, else `cancelled`. */
export function cancelledCall(signal: AbortSignal, sent: boolean): ModelCallError {
  const reason: unknown = signal.reason;
  const timedOut = isTimeout(reason);
  return new ModelCallError(
    {
      code: timedOut ? 'model_timed_out' : 'model_cancelled',
      message: timedOut
        ? 'The model call ran into its time limit and was stopped.'
        : 'The model call was cancelled and stopped.',
      class: timedOut ? 'timed_out' : 'cancelled',
      sent,
    },
    { cause: reason },
  );
}

function isTimeout(reason: unknown): boolean {
  if (typeof reason !== 'object' || reason === null) return false;
  const { name, code } = reason as { name?: unknown; code?: unknown };
  return name === 'TimeoutError' || code === 'timed_out';
}

/** Stable codes by status; the number itself is in `status`. */
function codeOfStatus(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return 'model_access_denied';
    case 404:
      return 'model_not_found';
    case 408:
      return 'model_request_timeout';
    case 413:
      return 'model_request_too_large';
    case 429:
      return 'model_rate_limited';
    default:
      return status >= 500 ? 'model_unavailable' : 'model_request_refused';
  }
}

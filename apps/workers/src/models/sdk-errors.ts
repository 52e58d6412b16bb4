import { failureOfHttp, failureText, ModelCallError, toFailure } from '@pawl/tool-sdk';
import {
  callErrorOfHttp,
  callNotMade,
  cancelledCall,
  networkCallError,
  unreadableAnswer,
} from './call-errors.ts';

/** What is known about a call whose error is to be explained. */
export interface FailedCall {
  /** `<provider>:<model>`. */
  readonly label: string;
  readonly signal: AbortSignal;
  /** Values that must not appear (V13). */
  readonly secrets: readonly string[];
  /** True once the request was handed to the network. */
  readonly sent: boolean;
  /** Status of the HTTP answer, where one came. */
  readonly httpStatus?: number;
}

/** Explains whatever the AI SDK threw; statuses and networks by the one failure table. Never throws itself. */
export function toModelCallError(error: unknown, call: FailedCall): ModelCallError {
  if (error instanceof ModelCallError) return error;
  if (call.signal.aborted) return cancelledCall(call.signal, call.sent);
  const { statusCode, responseHeaders, responseBody, data } = errorFields(error);
  if (statusCode !== undefined && statusCode >= 300) {
    const status = inBandStatus(call.httpStatus, statusCode, responseBody) ?? statusCode;
    return callErrorOfHttp(
      call.label,
      status,
      failureOfHttp(status, responseHeaders ?? {}, bodyText(responseBody ?? data), { secrets: call.secrets }),
      error,
    );
  }
  const failure = toFailure(error, { effect: 'idempotent', secrets: call.secrets });
  if (
    failure.code.startsWith('connection_') ||
    failure.code === 'tls_certificate' ||
    failure.code === 'address_blocked'
  ) {
    const message = `${call.label} could not be reached: ${failure.message}`;
    const network = networkCallError(message, failure.notApplied !== true, error);
    return failure.class === 'permanent' ? callNotMade(message, false, error) : network;
  }
  if (!call.sent) return callNotMade(`${call.label} was not called: ${failure.message}`, false, error);
  const start = failureText(bodyText(responseBody), call.secrets, 500);
  return unreadableAnswer(
    `${call.label} gave no answer that can be read: ${failure.message}`,
    start === '' ? undefined : { body: start },
    error,
  );
}

/** An error event inside a stream that had begun well. */
export function streamError(error: unknown, call: FailedCall): ModelCallError {
  const { statusCode } = errorFields(error);
  if (error instanceof Error || statusCode !== undefined) return toModelCallError(error, call);
  const { message, code, type } = (error ?? {}) as { message?: unknown; code?: unknown; type?: unknown };
  const said = typeof message === 'string' ? message : typeof error === 'string' ? error : 'no reason given';
  return unreadableAnswer(`${call.label} broke off its answer: ${failureText(said, call.secrets)}`, {
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof type === 'string' ? { type } : {}),
  });
}

interface ErrorFields {
  readonly statusCode?: number;
  readonly responseHeaders?: Record<string, string>;
  readonly responseBody?: unknown;
  readonly data?: unknown;
}

function errorFields(error: unknown): ErrorFields {
  return typeof error === 'object' && error !== null ? (error as ErrorFields) : {};
}

const IN_BAND: Record<string, number> = {
  rate_limit_exceeded: 429,
  server_error: 500,
  vector_store_timeout: 504,
};

/** A failure told inside a 200 answer has no status of its own; the SDK calls each of them 400. */
function inBandStatus(httpStatus: number | undefined, told: number, body: unknown): number | undefined {
  if (httpStatus === undefined || httpStatus >= 300 || told !== 400) return undefined;
  const parsed = typeof body === 'string' ? parsedOrUndefined(body) : body;
  const code = (parsed as { error?: { code?: unknown } } | undefined)?.error?.code;
  return typeof code === 'string' ? IN_BAND[code] : undefined;
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bodyText(body: unknown): string {
  if (typeof body === 'string') return body;
  return body === undefined ? '' : (JSON.stringify(body) ?? '');
}

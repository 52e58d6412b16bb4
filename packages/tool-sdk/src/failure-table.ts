// Rules kept here, and nowhere else (semantics §2 Retry, C10):
// F1 An HTTP status below 400 that was thrown as an error, and every 4xx but those of F2, is permanent.
// F2 408, 409, 425, 429, 5xx but 501 and 505, and 529 are transient; Retry-After is obeyed.
// F3 A request that never left (name not found, connection refused, connect timeout) is transient and not applied,
//    unless the same attempt may have sent another one before. A refused certificate, and an address that the host
//    does not connect to, is permanent and not applied.
// F4 A connection that broke after that is transient, and whether the effect happened is open.
// F5 What a tool throws on purpose means what it says, also after an abort.
// F6 After an abort every other error counts as the abort: timed_out when its reason is a timeout, else cancelled.
// F7 Anything else is a surprise. For a pure or idempotent tool, errors of the program itself (TypeError,
//    ReferenceError, SyntaxError, RangeError, failed assertions) are permanent, since the next try meets the same
//    program; other surprises are transient. For a non-repeatable tool every surprise is transient and open:
//    the program may have failed after the effect was sent, and only doubt is honest then (V5).
import { AttemptAbort, HttpError, type NotAppliedError, ToolError } from './errors.ts';
import { cutText, failureText, scrubJson, wellFormed } from './failure-text.ts';
import type { Json, JsonObject } from './json.ts';
import { type HeaderBag, parseRetryAfter, readHeader } from './retry-after.ts';
import { toJson } from './to-json.ts';
import type { EffectClass } from './tool.ts';

export type ToolFailureClass = 'permanent' | 'transient' | 'timed_out' | 'cancelled';

/** An error as data: fits the `Failure` of the journal; `notApplied` is proof that nothing happened. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly class: ToolFailureClass;
  readonly retryAfterMs?: number;
  readonly notApplied?: true;
  readonly detail?: Json;
}

/** What the host knows about the attempt that failed. */
export interface FailureContext {
  /** Declared class of the tool. Absent: the careful reading, as for `non_repeatable`. */
  readonly effect?: EffectClass;
  /** The signal that the tool was given. */
  readonly signal?: AbortSignal;
  /** Values that must not appear in message or detail (V13). */
  readonly secrets?: readonly string[];
  /** True when the attempt had already sent something that may change the world (see `createToolFetch`). */
  readonly mayHaveSent?: boolean;
  /** Epoch milliseconds, for Retry-After dates. Default: the clock of this process. */
  readonly nowMs?: number;
}

const TRANSIENT_STATUS: readonly number[] = [408, 409, 425, 429, 500, 502, 503, 504, 529];
const FINAL_SERVER_STATUS: readonly number[] = [501, 505, 506, 508, 510, 511];

/** Codes of errors that prove that the request was not sent (F3). */
const NOT_SENT: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
];
/** Certificates that were refused during the handshake: nothing was sent, and trying again does not change it (F3). */
const CERTIFICATE =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY))/;
/** Codes of connections that broke when something may have been sent (F4). */
const BROKEN: readonly string[] = [
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
];
const BROKEN_MESSAGE = /^(socket hang up|fetch failed|terminated|other side closed|premature close)$/i;
const PROGRAM_ERRORS: readonly string[] = [
  'TypeError',
  'ReferenceError',
  'SyntaxError',
  'RangeError',
  'AssertionError',
];

/** Class of an HTTP status that is not a success (F1, F2). */
export function classOfHttpStatus(status: number): 'permanent' | 'transient' {
  if (TRANSIENT_STATUS.includes(status)) return 'transient';
  return status >= 500 && !FINAL_SERVER_STATUS.includes(status) ? 'transient' : 'permanent';
}

/**
 * The failure for an HTTP answer that is not a success. The service's own words are kept.
 *
 * @param headers   read for Retry-After and the content type only
 * @param bodyText  what the service answered; the first 2,000 units are kept as detail
 */
export function failureOfHttp(
  status: number,
  headers: HeaderBag,
  bodyText: string,
  context: FailureContext = {},
): ToolFailure {
  const secrets = context.secrets ?? [];
  const said = messageInBody(bodyText);
  return {
    code: `http_${status}`,
    message: failureText(`The service answered ${status}${said === '' ? '' : `: ${said}`}`, secrets),
    class: classOfHttpStatus(status),
    ...retryAfter(parseRetryAfter(headers, context.nowMs ?? Date.now())),
    detail: {
      status,
      ...(bodyText === '' ? {} : { body: failureText(bodyText, secrets, 2_000) }),
      ...requestId(headers),
    },
  };
}

/**
 * Turns whatever a tool threw into data. The one place that decides what an error means (rules F1–F7 above).
 * Never throws itself.
 */
export function toFailure(error: unknown, context: FailureContext = {}): ToolFailure {
  return (
    declared(error, context) ??
    aborted(error, context) ??
    networkFailure(error, context) ??
    surprise(error, context)
  );
}

/** True when it is open whether the failed attempt changed the world: a non-repeatable tool becomes uncertain then (V5). */
export const leavesDoubt = (failure: ToolFailure): boolean =>
  failure.notApplied !== true && failure.class !== 'permanent';

/** F5. */
function declared(error: unknown, context: FailureContext): ToolFailure | undefined {
  if (HttpError.is(error)) {
    return failureOfHttp(error.status, error.headers, error.bodyText, context);
  }
  if (!ToolError.is(error)) return undefined;
  const base = failure(error.code, error.message, 'permanent', context, declaredDetail(error));
  const said = error as ToolError & Partial<Pick<NotAppliedError, 'retry' | 'retryAfterMs'>>;
  switch (error.kind) {
    case 'transient':
      return { ...base, class: 'transient', ...retryAfter(said.retryAfterMs) };
    case 'not_applied': {
      const kind = said.retry === 'never' ? 'permanent' : 'transient';
      return { ...base, class: kind, notApplied: true, ...retryAfter(said.retryAfterMs) };
    }
    case 'input':
      return { ...base, notApplied: true };
    case 'permanent':
    case 'output':
      return base;
  }
}

function declaredDetail(error: ToolError): Json | undefined {
  const { issues } = error as { issues?: unknown };
  const isChecked = error.kind === 'input' || error.kind === 'output';
  const parts: Record<string, unknown> = {
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...(isChecked && Array.isArray(issues) && issues.length > 0 ? { issues } : {}),
  };
  const keys = Object.keys(parts);
  if (keys.length === 0) return undefined;
  return safeJson(keys.length === 1 && keys[0] === 'detail' ? error.detail : parts);
}

/** F6. */
function aborted(error: unknown, context: FailureContext): ToolFailure | undefined {
  const reason: unknown = context.signal?.aborted ? context.signal.reason : undefined;
  const cause = reason ?? (isAbort(error) ? error : undefined);
  if (cause === undefined) return undefined;
  if (isAttemptAbort(cause)) {
    const kind = cause.code === 'timed_out' ? 'timed_out' : 'cancelled';
    return failure(cause.code, cause.message, kind, context);
  }
  if (nameOf(cause) === 'TimeoutError') return failure('timed_out', messageOf(cause), 'timed_out', context);
  if (reason !== undefined) return failure('cancelled', messageOf(reason), 'cancelled', context);
  // The tool aborted a request of its own without being asked to: its own time limit, as a rule.
  return failure('aborted_by_tool', messageOf(error), 'transient', context);
}

/** F3, F4. */
function networkFailure(error: unknown, context: FailureContext): ToolFailure | undefined {
  const chain = causes(error);
  const code = (of: unknown): string => String((of as { code?: unknown } | null)?.code ?? '');
  const leaves = chain.filter((part) => code(part) !== '');
  if (leaves.some((part) => CERTIFICATE.test(code(part)))) {
    return { ...networkText('tls_certificate', 'permanent', chain, context), ...proof(context) };
  }
  const blocked = leaves.find((part) => code(part) === 'address_blocked');
  if (blocked !== undefined) {
    return { ...failure('address_blocked', messageOf(blocked), 'permanent', context), ...proof(context) };
  }
  // A connect timeout of the operating system carries the same code as one in the middle of a conversation.
  const isUnsent = (part: unknown): boolean =>
    NOT_SENT.includes(code(part)) ||
    (code(part) === 'ETIMEDOUT' && (part as { syscall?: unknown }).syscall === 'connect');
  const isBroken = (part: unknown): boolean => BROKEN.includes(code(part)) && !isUnsent(part);
  if (leaves.some(isUnsent) && !leaves.some(isBroken)) {
    return { ...networkText('connection_failed', 'transient', chain, context), ...proof(context) };
  }
  const isLost = leaves.some(isBroken) || chain.some((part) => isHangUp(part));
  return isLost ? networkText('connection_lost', 'transient', chain, context) : undefined;
}

/** The messages of undici and node:http; only a TypeError says "fetch failed" in earnest. */
const isHangUp = (part: unknown): boolean => part instanceof Error && BROKEN_MESSAGE.test(part.message);

const proof = (context: FailureContext): { notApplied?: true } =>
  context.mayHaveSent === true ? {} : { notApplied: true };

function networkText(
  failureCode: string,
  kind: ToolFailureClass,
  chain: readonly unknown[],
  context: FailureContext,
): ToolFailure {
  const message = [...new Set(chain.map(messageOf).filter((text) => text !== ''))].join(': ');
  const codes = [...new Set(chain.map((part) => (part as { code?: unknown })?.code).filter(isText))];
  return failure(failureCode, message, kind, context, codes.length > 0 ? { codes } : undefined);
}

/** F7. */
function surprise(error: unknown, context: FailureContext): ToolFailure {
  const isProgramError = PROGRAM_ERRORS.includes(nameOf(error));
  const mayRepeat = context.effect === 'pure' || context.effect === 'idempotent';
  const kind = isProgramError && mayRepeat ? 'permanent' : 'transient';
  const { code } = (error ?? {}) as { code?: unknown };
  const detail: JsonObject = { thrown: nameOf(error), ...(isText(code) ? { code } : {}) };
  return failure('tool_error', messageOf(error), kind, context, detail);
}

function failure(
  code: string,
  message: string,
  kind: ToolFailureClass,
  context: FailureContext,
  detail?: Json,
): ToolFailure {
  const secrets = context.secrets ?? [];
  return {
    code: cutText(wellFormed(code), 100),
    message: failureText(message === '' ? 'The tool failed without a message.' : message, secrets),
    class: kind,
    ...(detail === undefined ? {} : { detail: scrubJson(detail, secrets) }),
  };
}

const retryAfter = (ms: number | undefined): { retryAfterMs?: number } =>
  ms !== undefined && Number.isFinite(ms) && ms >= 0 ? { retryAfterMs: Math.ceil(ms) } : {};

/** The error, its causes and the members of aggregates, at most 20. */
function causes(error: unknown): unknown[] {
  const found: unknown[] = [];
  const queue: unknown[] = [error];
  while (queue.length > 0 && found.length < 20) {
    const next = queue.shift();
    if (next === undefined || next === null || found.includes(next)) continue;
    found.push(next);
    if (typeof next !== 'object') continue;
    const { cause, errors } = next as { cause?: unknown; errors?: unknown };
    queue.push(cause, ...(Array.isArray(errors) ? errors : []));
  }
  return found;
}

/** What services put into error bodies: `{ error: { message } }`, problem details, or plain text. */
function messageInBody(bodyText: string): string {
  try {
    const body = JSON.parse(bodyText) as Record<string, unknown> | null;
    const { error } = (body ?? {}) as { error?: unknown };
    const inner =
      typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : undefined;
    const said = [inner?.message, error, body?.message, body?.detail, body?.title].find(isText);
    if (said !== undefined) return said;
  } catch {
    // Not JSON: the text itself is the message.
  }
  return cutText(bodyText.replace(/\s+/g, ' ').trim(), 500);
}

function requestId(headers: HeaderBag): JsonObject {
  const id = readHeader(headers, 'x-request-id') ?? readHeader(headers, 'request-id');
  return id === undefined ? {} : { requestId: cutText(wellFormed(id), 200) };
}

/** By name: a tool package may bring its own copy of this package. */
const isAttemptAbort = (cause: unknown): cause is AttemptAbort =>
  cause instanceof AttemptAbort || nameOf(cause) === 'AttemptAbort';
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isAbort = (error: unknown): boolean =>
  nameOf(error) === 'AbortError' || nameOf(error) === 'TimeoutError';

function nameOf(error: unknown): string {
  const { name } = (error ?? {}) as { name?: unknown };
  return isText(name) ? name : typeof error;
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message } = (error ?? {}) as { message?: unknown };
  return isText(message) ? message : '';
}

function safeJson(value: unknown): Json | undefined {
  const checked = toJson(value);
  return checked.ok ? checked.value : { notJson: `${checked.found} at ${checked.pointer}` };
}

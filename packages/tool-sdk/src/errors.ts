// The catalogue of errors of this package. Codes are stable and never reused.
import type { Json } from './json.ts';
import { readBody } from './read-body.ts';

/** What a validator found: `pointer` is a JSON pointer into the value (`''` for the whole). */
export interface Issue {
  readonly pointer: string;
  readonly message: string;
}

interface ToolErrorOptions {
  readonly message: string;
  /** Stable, snake_case; shown to people and usable in `onError` rules. Each class has a default. */
  readonly code?: string;
  /** Evidence that is kept with the failure; never put secrets here (V13). */
  readonly detail?: Json;
  readonly cause?: unknown;
}

/** As much of an answer that is an error is read. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** Marks errors across copies of this package: a tool package may bring its own. */
const MARK = Symbol.for('pawl.tool-error');
const isMarked = (value: unknown, mark: string): boolean =>
  typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[MARK] === mark;

/** Base of the errors that a tool throws on purpose. */
export abstract class ToolError extends Error {
  readonly kind: 'transient' | 'permanent' | 'not_applied' | 'input' | 'output';
  readonly code: string;
  readonly detail: Json | undefined;

  /** Like `instanceof`, but also for errors made by another copy of this package. */
  static is(value: unknown): value is ToolError {
    return isMarked(value, 'tool');
  }

  constructor(kind: ToolError['kind'], defaultCode: string, options: ToolErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    Object.defineProperty(this, MARK, { value: 'tool' });
    this.kind = kind;
    this.code = options.code ?? defaultCode;
    this.detail = options.detail;
  }
}

/**
 * It may work later. Pure and idempotent tools are tried again; for a non-repeatable tool it leaves doubt whether the
 * effect happened: throw {@link NotAppliedError} when you know that it did not.
 */
export class TransientError extends ToolError {
  override readonly name = 'TransientError';
  /** Not before this many milliseconds. */
  readonly retryAfterMs: number | undefined;
  constructor(options: ToolErrorOptions & { readonly retryAfterMs?: number }) {
    super('transient', 'tool_transient', options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** It will not work however often it is tried, and nothing happened or what happened is final. Never retried. */
export class PermanentError extends ToolError {
  override readonly name = 'PermanentError';
  constructor(options: ToolErrorOptions) {
    super('permanent', 'tool_permanent', options);
  }
}

/**
 * Proves that nothing happened, so that even a non-repeatable tool may be tried again. Throw it only on evidence
 * (the service said so); `retry: 'never'` when another try cannot help either.
 */
export class NotAppliedError extends ToolError {
  override readonly name = 'NotAppliedError';
  readonly retry: 'later' | 'never';
  readonly retryAfterMs: number | undefined;
  constructor(
    options: ToolErrorOptions & { readonly retry?: 'later' | 'never'; readonly retryAfterMs?: number },
  ) {
    super('not_applied', 'not_applied', options);
    this.retry = options.retry ?? 'later';
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The arguments do not fit the tool, by its schema or by what it found when it looked. Nothing happened. */
export class ToolInputError extends ToolError {
  override readonly name = 'ToolInputError';
  readonly issues: readonly Issue[];
  constructor(options: ToolErrorOptions & { readonly issues?: readonly Issue[] }) {
    super('input', 'tool_input', options);
    this.issues = options.issues ?? [];
  }
}

/** The tool returned something that its own output schema (or JSON) does not allow. The effect may have happened. */
export class ToolOutputError extends ToolError {
  override readonly name = 'ToolOutputError';
  readonly issues: readonly Issue[];
  constructor(toolRef: string, issues: readonly Issue[]) {
    super('output', 'tool_output', {
      message: `Tool ${toolRef} returned a value that does not fit its output: ${describeIssues(issues)}.`,
    });
    this.issues = issues;
  }
}

/** A service answered with a status that is not a success; {@link HttpError.from} reads the response. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code = 'http_error';
  readonly status: number;
  readonly headers: Headers;
  readonly bodyText: string;
  constructor(status: number, headers: Headers, bodyText: string) {
    super(`HTTP ${status}`);
    Object.defineProperty(this, MARK, { value: 'http' });
    this.status = status;
    this.headers = headers;
    this.bodyText = bodyText;
  }

  /** Like `instanceof`, but also for errors made by another copy of this package. */
  static is(value: unknown): value is HttpError {
    return isMarked(value, 'http');
  }

  /** @example if (!response.ok) throw await HttpError.from(response); */
  static async from(response: Response): Promise<HttpError> {
    const body = await readBody(response, MAX_ERROR_BODY_BYTES).catch(() => undefined);
    const text = body === undefined ? '' : new TextDecoder().decode(body.bytes);
    return new HttpError(response.status, response.headers, text);
  }
}

/**
 * A host does not connect to an address: it is private, and the configuration does not allow it. Thrown by the network of
 * the host before anything is sent; permanent.
 */
export class AddressBlockedError extends Error {
  override readonly name = 'AddressBlockedError';
  readonly code = 'address_blocked';
}

/** Reason that a host aborts `ctx.signal` with; decides what the failure is called. */
export class AttemptAbort extends Error {
  override readonly name = 'AttemptAbort';
  readonly code: 'timed_out' | 'cancelled' | 'lease_lost';
  constructor(code: 'timed_out' | 'cancelled' | 'lease_lost', message: string) {
    super(message);
    this.code = code;
  }
}

/** `ctx.secret(name)` found nothing under that name. */
export class SecretMissingError extends ToolError {
  override readonly name = 'SecretMissingError';
  constructor(secretName: string) {
    super('permanent', 'secret_missing', {
      message: `There is no secret named ${JSON.stringify(secretName)}. Create it, or correct the name in the tool.`,
    });
  }
}

/** A definition handed to `defineTool` is wrong. */
export class ToolDefinitionError extends Error {
  override readonly name = 'ToolDefinitionError';
  readonly code = 'tool_definition';
  constructor(toolName: unknown, problem: string, cause?: unknown) {
    super(`Tool ${JSON.stringify(toolName)}: ${problem}`, cause === undefined ? undefined : { cause });
  }
}

/** Two tools claim the same reference. */
export class ToolDuplicateError extends Error {
  override readonly name = 'ToolDuplicateError';
  readonly code = 'tool_duplicate';
  constructor(ref: string, places: readonly string[]) {
    const where = places.length > 0 ? ` (${places.join(', ')})` : '';
    super(`Tool ${ref} is defined twice${where}. Give one of them another name or version.`);
  }
}

/** No tool is registered under a reference. */
export class ToolUnknownError extends Error {
  override readonly name = 'ToolUnknownError';
  readonly code = 'tool_unknown';
  constructor(ref: string, suggestion: string | undefined) {
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
    super(`There is no tool ${ref} here. References look like name@version.${hint}`);
  }
}

/** A module named in the configuration could not be used. */
export class ToolModuleError extends Error {
  override readonly name = 'ToolModuleError';
  readonly code: 'tool_module_missing' | 'tool_module_failed' | 'tool_module_empty';
  constructor(
    code: 'tool_module_missing' | 'tool_module_failed' | 'tool_module_empty',
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Issues as one line, at most five of them. */
export function describeIssues(issues: readonly Issue[]): string {
  const shown = issues
    .slice(0, 5)
    .map((issue) => `${issue.pointer === '' ? 'the value' : issue.pointer} ${issue.message}`);
  const more = issues.length > 5 ? `; and ${issues.length - 5} more` : '';
  return shown.join('; ') + more;
}

import type { Accepted } from './accepted.ts';
import type { Json } from './json.ts';

/**
 * What a tool gets from its host for one attempt. Everything in it that could differ between two executions of the
 * same attempt (clock, randomness, identifiers) is given by the host, which records it.
 */
export interface ToolContext {
  /** The same for every attempt of this effect: hand it to the service that you call (V4). */
  readonly idempotencyKey: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** Aborted on timeout, on cancel and when this process lost the right to go on. Obey it. */
  readonly signal: AbortSignal;
  /** The instant at which `signal` will be aborted at the latest. */
  readonly deadline: Date;
  readonly logger: ToolLogger;
  readonly artifacts: ToolArtifacts;
  /** Epoch milliseconds, recorded. Use it instead of `Date.now()`. */
  now(): number;
  /** 0 (included) … 1 (excluded), recorded. Use it instead of `Math.random()`. */
  random(): number;
  /** A version 4 UUID made from recorded randomness. */
  uuid(): string;
  /**
   * The value of a named secret. It is scrubbed from logs and failures; do not return it as output.
   * @throws {SecretMissingError} when the host has no such secret
   */
  secret(name: string): Promise<string>;
  /**
   * The address at which the service may say, later and once, how this call ended. Hand it over with the request and return
   * `ctx.accepted(…)`. The address is a proof: whoever has it decides.
   */
  callbackUrl(): Promise<string>;
  /**
   * What to return when the service took the call and tells later how it ended. No worker is held meanwhile. After `deadlineMs`
   * an idempotent call is made again; a non-repeatable one is in doubt. `data` is kept with the node run. A tool with a `poll` is
   * asked how the call stands: first after `pollEveryMs` (default 10,000), with the `reference` that the service gave (recorded:
   * no secrets; at most 10,000 characters of JSON). Not for pure tools.
   */
  accepted(how: {
    readonly deadlineMs: number;
    readonly data?: Json;
    readonly pollEveryMs?: number;
    readonly reference?: Json;
  }): Accepted;
  /** Reports how far the work is, 0…1. Ephemeral: shown live, never recorded. */
  progress(fraction: number, note?: string): void;
  /**
   * `fetch` that stops with `signal`, adds `Idempotency-Key` to requests that may change something (unless you set one),
   * drops credentials when it is led to another origin, and connects to public addresses only (the host's configuration
   * may allow others).
   */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Says that the work is alive; throws the reason of `signal` when it is aborted. Call it in long loops. */
  heartbeat(): void;
}

/** Structured log of one tool call; `fields` are added to run, path and attempt. */
export interface ToolLogger {
  debug(fields: Record<string, unknown>, message?: string): void;
  info(fields: Record<string, unknown>, message?: string): void;
  warn(fields: Record<string, unknown>, message?: string): void;
  error(fields: Record<string, unknown>, message?: string): void;
}

/** Where large or lasting results go. */
export interface ToolArtifacts {
  /** Stores bytes by content; the same bytes under the same name twice make one version. A stream is never held whole. */
  put(artifact: ArtifactInput): Promise<ArtifactRef>;
  /** All bytes at once. @throws {PermanentError} `artifact_not_found` */
  get(ref: Pick<ArtifactRef, 'artifactId'>): Promise<Uint8Array>;
  /** The bytes as they are asked for; use it for what may be large. @throws {PermanentError} `artifact_not_found` */
  read(ref: Pick<ArtifactRef, 'artifactId'>): AsyncIterable<Uint8Array>;
}

/** Strings are stored as UTF-8. `mediaType` for instance `text/markdown`. */
export interface ArtifactInput {
  readonly name: string;
  readonly mediaType: string;
  readonly data: Uint8Array | string | AsyncIterable<Uint8Array>;
}

/** A stored artifact, as plain JSON that may travel through node outputs. `hash` is the SHA-256 (hex) of the bytes. */
export type ArtifactRef = {
  readonly artifactId: string;
  readonly name: string;
  readonly version: number;
  readonly mediaType: string;
  readonly bytes: number;
  readonly hash: string;
};

/** What a host answers for a probe: did the effect with this key happen? */
export type ProbeAnswer<Result = Json> =
  | { readonly answer: 'applied'; readonly result: Result }
  | { readonly answer: 'not_applied' }
  | { readonly answer: 'unknown'; readonly reason?: string };

/** What a host answers when it is asked whether an undoing happened. */
export type UndoAnswer =
  | { readonly answer: 'applied' | 'not_applied' }
  | { readonly answer: 'unknown'; readonly reason?: string };

/** What is known of a call that its service took, for whoever asks how it stands. */
export interface AcceptedCall {
  /** What `ctx.accepted` was given; null when it was given none. */
  readonly reference: Json;
  /** The key that the call was made with. */
  readonly key: string;
  /** When it was recorded that the service had taken it. */
  readonly acceptedAt: Date;
}

/**
 * What a tool says about a call that its service took. `failed`: it ended there without its effect; when it is `retryable` it is
 * made again. `not_yet`: asked again after `retryAfterMs`, else after a growing pause.
 */
export type PollAnswer<Result = Json> =
  | { readonly answer: 'done'; readonly result: Result }
  | {
      readonly answer: 'failed';
      readonly failure: { readonly message: string; readonly code?: string; readonly retryable?: boolean };
    }
  | { readonly answer: 'not_yet'; readonly retryAfterMs?: number };

import { traceHeaders, type WatchedCall } from '@pawl/telemetry';
import { accepted, createToolFetch, type ToolContext, type ToolFetch } from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';
import { seededRandom } from '../runtime/random.ts';
import type { SendHost, Step } from '../runtime/step.ts';

/** What one call of a tool is made with. */
interface CallParts {
  readonly host: EffectHost;
  readonly step: Step;
  readonly send: SendHost;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Reads a secret and remembers that it was read. */
  secret(name: string): Promise<string>;
  /** Where the service may say later how this call ended. */
  callbackUrl(): Promise<string>;
  /** The clock of this call, recorded. */
  now(): number;
  readonly watched: WatchedCall | undefined;
  /** A text without the secrets that this call has read (V13). */
  scrub(text: string): string;
}

/**
 * The context of one tool call. Its members are made when they are asked for, because most calls need few of them; each is a
 * value of its own, so that tools may take the context apart.
 */
export class CallContext implements ToolContext {
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly #parts: CallParts;
  readonly #startedAtMs = Date.now();
  #fetch: ToolFetch | undefined;
  #random: (() => number) | undefined;
  #logger: ToolContext['logger'] | undefined;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.idempotencyKey = parts.key;
    this.attempt = parts.step.handle.attempt;
    this.signal = parts.signal;
  }

  /** True when the tool may have sent something that changes the world. */
  mayHaveSent(): boolean {
    return this.#fetch?.mayHaveSent() ?? false;
  }

  get deadline(): Date {
    return new Date(this.#startedAtMs + this.#parts.timeoutMs);
  }

  get fetch(): ToolContext['fetch'] {
    const { key, signal, watched, step, host } = this.#parts;
    // Without traces of our own the caller's context is handed on as it came.
    const trace = watched?.trace ?? step.context.trace;
    this.#fetch ??= createToolFetch({
      idempotencyKey: key,
      signal,
      fetch: host.network.fetch,
      ...(trace && { headers: traceHeaders(trace) }),
    });
    const { fetch } = this.#fetch;
    return async (input, init) => {
      await host.demandLease();
      return fetch(input, init);
    };
  }

  get secret(): ToolContext['secret'] {
    return this.#parts.secret;
  }

  get callbackUrl(): ToolContext['callbackUrl'] {
    return this.#parts.callbackUrl;
  }

  get accepted(): ToolContext['accepted'] {
    return accepted;
  }

  get now(): ToolContext['now'] {
    return this.#parts.now;
  }

  get random(): ToolContext['random'] {
    const { context, handle } = this.#parts.step;
    this.#random ??= seededRandom(context.seed, `${handle.path}#tool`);
    return this.#random;
  }

  get uuid(): ToolContext['uuid'] {
    return () => uuidFrom(this.random);
  }

  get logger(): ToolContext['logger'] {
    const { host, step, watched } = this.#parts;
    this.#logger ??= host.logger(step, watched?.trace);
    return this.#logger;
  }

  get artifacts(): ToolContext['artifacts'] {
    const { host, step, send, scrub } = this.#parts;
    const artifacts = host.artifacts(step, send);
    return { ...artifacts, put: (artifact) => artifacts.put({ ...artifact, name: scrub(artifact.name) }) };
  }

  get progress(): ToolContext['progress'] {
    const { host, step, scrub } = this.#parts;
    return (fraction, note) => host.progress(step, fraction, note === undefined ? note : scrub(note));
  }

  get heartbeat(): ToolContext['heartbeat'] {
    return () => this.signal.throwIfAborted();
  }
}

/** A version 4 UUID from recorded randomness (RFC 9562). */
function uuidFrom(random: () => number): string {
  const bytes = Buffer.from(Array.from({ length: 16 }, () => Math.floor(random() * 256)));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

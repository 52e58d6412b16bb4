import { toFailure } from './failure-table.ts';
import { followRedirects } from './follow-redirects.ts';

/** A `fetch` for one attempt, and what is known about the requests that went through it. */
export interface ToolFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** True once a request that may change something has left: a later "connection refused" proves nothing any more. */
  mayHaveSent(): boolean;
}

export interface ToolFetchOptions {
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** Sent along unless the tool sets them itself, such as those of a trace. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What really sends; default: the `fetch` of this process. */
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** True for methods that only read (RFC 9110 §9.2.1). */
export const isSafeMethod = (method: string | undefined): boolean =>
  SAFE_METHODS.includes((method ?? 'GET').toUpperCase());

/**
 * Makes `ctx.fetch`: adds `Idempotency-Key` to requests that may change something, and the headers it was given (unless the tool
 * set its own), aborts with the attempt, follows redirects itself (see `followRedirects`), and keeps count of what left. Refuses
 * to send when the attempt is already aborted.
 */
export function createToolFetch(options: ToolFetchOptions): ToolFetch {
  const send = options.fetch ?? ((url, init) => fetch(url, init));
  let sent = false;
  /** One request, of which there may be several when the service redirects. */
  const sendOne = async (url: string, init: RequestInit): Promise<Response> => {
    try {
      const response = await send(url, init);
      if (!isSafeMethod(init.method)) sent = true;
      return response;
    } catch (error) {
      if (!isSafeMethod(init.method) && toFailure(error).notApplied !== true) sent = true;
      throw error;
    }
  };
  return {
    mayHaveSent: () => sent,
    async fetch(url, init = {}) {
      options.signal.throwIfAborted();
      const headers = new Headers(init.headers);
      const given = {
        ...options.headers,
        ...(!isSafeMethod(init.method) && { 'idempotency-key': options.idempotencyKey }),
      };
      for (const [name, value] of Object.entries(given)) if (!headers.has(name)) headers.set(name, value);
      const signal = init.signal ? AbortSignal.any([options.signal, init.signal]) : options.signal;
      const request = { ...init, headers, signal };
      const { redirect = 'follow' } = init;
      return redirect === 'follow' ? followRedirects(sendOne, url, request) : sendOne(String(url), request);
    },
  };
}

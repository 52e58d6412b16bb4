import type { RouteSpec } from '../routes/route.ts';
import { ApiError } from './errors.ts';
import { readFrames, type SseFrame } from './sse-parser.ts';
import { type ClientOptions, type RawCall, refuse, send } from './transport.ts';

/** How an event stream is followed through lost connections. */
export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Silence (not even a keep-alive) after which the connection counts as dead. Default 45 s. */
  readonly silenceMs?: number;
  /** First and greatest pause before connecting again. Default 250 ms and 5 s. */
  readonly pauseMs?: { readonly first: number; readonly most: number };
  /** Called each time that the connection is lost or cannot be made, before it is tried again. */
  readonly onLost?: () => void;
}

/**
 * Reads a stream for ever: a lost connection is made again after a pause, an unreachable or failing engine is tried again.
 *
 * @param callOf how to ask, each time anew: it says where to resume
 * @throws {ApiError} when the engine refuses
 */
export async function* followStream(
  options: ClientOptions,
  route: RouteSpec,
  callOf: () => RawCall,
  how: StreamOptions,
): AsyncGenerator<SseFrame, void, void> {
  const pauses = how.pauseMs ?? { first: 250, most: 5_000 };
  let pauseMs = pauses.first;
  while (!how.signal?.aborted) {
    try {
      for await (const frame of openStream(options, route, callOf(), how)) {
        pauseMs = pauses.first;
        yield frame;
      }
    } catch (error) {
      if (how.signal?.aborted) return;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    }
    if (how.signal?.aborted) return;
    how.onLost?.();
    await pause(pauseMs, how.signal);
    pauseMs = Math.min(pauseMs * 2, pauses.most);
  }
}

async function* openStream(options: ClientOptions, route: RouteSpec, call: RawCall, how: StreamOptions) {
  const connection = new AbortController();
  const abort = () => connection.abort();
  how.signal?.addEventListener('abort', abort, { once: true });
  let silence = setTimeout(abort, how.silenceMs ?? 45_000);
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(abort, how.silenceMs ?? 45_000);
  };
  try {
    const headers = { ...call.headers, 'cache-control': 'no-cache' };
    const wish = { ...call, headers, signal: connection.signal };
    const response = await send(options, route, wish, 'text/event-stream');
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    if (!response.ok || !isStream || !response.body) await refuse(response);
    yield* readFrames(response.body as unknown as AsyncIterable<Uint8Array>, heard);
  } finally {
    clearTimeout(silence);
    how.signal?.removeEventListener('abort', abort);
    abort();
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}

import type { RecordedEvent } from '@pawl/dag-core';
import { routes, STREAM_EVENTS } from '../routes/index.ts';
import type { Delta } from '../schemas/index.ts';
import { ApiError } from './errors.ts';
import { readFrames } from './sse-parser.ts';
import { type ClientOptions, refuse, send } from './transport.ts';

/** What a followed run says: a fact of its journal, or a passing delta. */
export type RunSignal =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  | { readonly kind: 'delta'; readonly delta: Delta };

export interface FollowOptions {
  /** Only events with a greater sequence number. Default 0: from the beginning. */
  readonly after?: number;
  /** `short`: of long values how they begin. Default whole. */
  readonly values?: 'whole' | 'short';
  readonly signal?: AbortSignal;
  /** Silence (not even a keep-alive) after which the connection counts as dead. Default 45 s. */
  readonly silenceMs?: number;
  /** First and greatest pause before connecting again. Default 250 ms and 5 s. */
  readonly pauseMs?: { readonly first: number; readonly most: number };
}

/**
 * Follows a run: reads the stream and, when the connection is lost, resumes after the last event seen, so that every event
 * comes once and in order. Deltas of a lost connection are lost.
 *
 * @throws {ApiError} when the engine refuses (unknown run, bad key); an unreachable or failing engine is tried again for ever
 */
export async function* runEvents(
  options: ClientOptions,
  runId: string,
  follow: FollowOptions = {},
): AsyncGenerator<RunSignal, void, void> {
  const pauses = follow.pauseMs ?? { first: 250, most: 5_000 };
  let last = follow.after ?? 0;
  let pauseMs = pauses.first;
  while (!follow.signal?.aborted) {
    try {
      for await (const frame of connect(options, runId, last, follow)) {
        pauseMs = pauses.first;
        if (frame.event === STREAM_EVENTS.end) return;
        if (frame.event === STREAM_EVENTS.delta) yield { kind: 'delta', delta: JSON.parse(frame.data) };
        if (frame.event !== STREAM_EVENTS.journal || Number(frame.id) <= last) continue;
        last = Number(frame.id);
        yield { kind: 'event', event: JSON.parse(frame.data) };
      }
    } catch (error) {
      if (follow.signal?.aborted) return;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    }
    await pause(pauseMs, follow.signal);
    pauseMs = Math.min(pauseMs * 2, pauses.most);
  }
}

async function* connect(options: ClientOptions, runId: string, last: number, follow: FollowOptions) {
  const connection = new AbortController();
  const abort = () => connection.abort();
  follow.signal?.addEventListener('abort', abort, { once: true });
  let silence = setTimeout(abort, follow.silenceMs ?? 45_000);
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(abort, follow.silenceMs ?? 45_000);
  };
  try {
    const headers = { 'last-event-id': String(last), 'cache-control': 'no-cache' };
    const query = { values: follow.values };
    const call = { params: { runId }, query, headers, signal: connection.signal };
    const response = await send(options, routes.readEvents, call, 'text/event-stream');
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    if (!response.ok || !isStream || !response.body) await refuse(response);
    yield* readFrames(response.body as unknown as AsyncIterable<Uint8Array>, heard);
  } finally {
    clearTimeout(silence);
    follow.signal?.removeEventListener('abort', abort);
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

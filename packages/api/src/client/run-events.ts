import type { RecordedEvent } from '@pawl/dag-core';
import { routes, STREAM_EVENTS } from '../routes/index.ts';
import type { Delta } from '../schemas/index.ts';
import { followStream, type StreamOptions } from './follow-stream.ts';
import type { ClientOptions } from './transport.ts';

/** What a followed run says: a fact of its journal, or a passing delta. */
export type RunSignal =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  | { readonly kind: 'delta'; readonly delta: Delta };

export interface FollowOptions extends StreamOptions {
  /** Only events with a greater sequence number. Default 0: from the beginning. */
  readonly after?: number;
  /** `short`: of long values how they begin. Default whole. */
  readonly values?: 'whole' | 'short';
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
  let last = follow.after ?? 0;
  const callOf = () => ({
    params: { runId },
    query: { values: follow.values },
    headers: { 'last-event-id': String(last) },
  });
  for await (const frame of followStream(options, routes.readEvents, callOf, follow)) {
    if (frame.event === STREAM_EVENTS.end) return;
    if (frame.event === STREAM_EVENTS.delta) yield { kind: 'delta', delta: JSON.parse(frame.data) };
    if (frame.event !== STREAM_EVENTS.journal || Number(frame.id) <= last) continue;
    last = Number(frame.id);
    yield { kind: 'event', event: JSON.parse(frame.data) };
  }
}

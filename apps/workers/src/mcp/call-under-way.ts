import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fetch } from '../network/index.ts';

/**
 * One call of a tool, as its HTTP request sees it. A response that breaks off takes the answer with it, and the SDK would then
 * wait for it until the time of the call is over; whoever waits for the call is told at once instead.
 */
export class CallUnderWay {
  /** Headers of an answer that was not a success. */
  refusedWith: Headers | undefined;
  /** The server numbers its events: the SDK asks for the rest when they break off. */
  isResumable = false;
  readonly #broken = new AbortController();
  readonly #signal: AbortSignal;
  #isSent = false;
  #isOver = false;

  constructor(signal: AbortSignal) {
    this.#signal = AbortSignal.any([signal, this.#broken.signal]);
  }

  /** Aborted with the call, and when its answer cannot come any more. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  get isBroken(): boolean {
    return this.#broken.signal.aborted;
  }

  /** The answer cannot come any more; nothing happens when it has come. */
  broke(): void {
    if (!this.#isOver) this.#broken.abort();
  }

  /** It was answered, or nobody waits for it any more. */
  ended(): void {
    this.#isOver = true;
  }

  /** True once: for the request that carries the call, not for those about it. */
  takeFirst(): boolean {
    const isFirst = !this.#isSent;
    this.#isSent = true;
    return isFirst;
  }
}

const underWay = new AsyncLocalStorage<CallUnderWay>();

/** Makes a call; the request that carries it finds it by {@link watchingCalls}. */
export const makeCall = <T>(call: CallUnderWay, make: () => Promise<T>): Promise<T> =>
  underWay.run(call, make);

/** A `fetch` that tells the call it is made for how its response ends. */
export function watchingCalls(fetch: Fetch): Fetch {
  return async (url, init) => {
    const call = underWay.getStore();
    if (!call?.takeFirst()) return fetch(url, init);
    const signal = init?.signal ? AbortSignal.any([init.signal, call.signal]) : call.signal;
    const response = await fetch(url, { ...init, signal });
    if (!response.ok) call.refusedWith = response.headers;
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      return response;
    return new Response(ReadableStream.from(untilItEnds(response.body, call)), response);
  };
}

async function* untilItEnds(body: AsyncIterable<Uint8Array>, call: CallUnderWay): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    // What was read before is taken apart first, by promises alone; then a call that has its answer has ended.
    setImmediate(() => call.isResumable || call.broke());
  }
}

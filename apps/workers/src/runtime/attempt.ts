import { AttemptAbort } from '@pawl/tool-sdk';

/** Calls under way in this process, so that a cancel, a lost lease or a shutdown can abort them. */
export class Attempts {
  readonly #byRun = new Map<string, Set<AbortController>>();
  /** Those that go on when their run is cancelled. */
  readonly #outliving = new WeakSet<AbortController>();

  abortRun(runId: string, message: string): void {
    for (const controller of this.#byRun.get(runId) ?? [])
      if (!this.#outliving.has(controller)) controller.abort(new AttemptAbort('cancelled', message));
  }

  abortAll(code: 'lease_lost' | 'cancelled', message: string): void {
    for (const controllers of this.#byRun.values()) {
      for (const controller of controllers) controller.abort(new AttemptAbort(code, message));
    }
  }

  /**
   * Makes one call with a time limit. When the limit passes, or the call is aborted and does not obey, it is not waited for:
   * what it answers later is told to `onLate`, and until then it may go on, of which `onGivenUp` tells.
   */
  async call<T>(
    about: {
      readonly runId: string;
      readonly timeoutMs: number;
      readonly graceMs?: number;
      /** It goes on when its run is cancelled. */
      readonly outlivesCancel?: boolean;
      onGivenUp?(): void;
    },
    send: (signal: AbortSignal) => Promise<T>,
    onLate: (late: { readonly value: T } | { readonly error: unknown }) => void,
  ): Promise<T> {
    const controller = new AbortController();
    const { runId, timeoutMs, graceMs = ABORT_GRACE_MS } = about;
    const own = this.#byRun.get(runId) ?? new Set();
    own.add(controller);
    if (about.outlivesCancel) this.#outliving.add(controller);
    this.#byRun.set(runId, own);
    const timer = setTimeout(
      () => {
        controller.abort(
          new AttemptAbort('timed_out', `The attempt took longer than ${timeoutMs} ms and was aborted.`),
        );
      },
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
    let isGivenUp = false;
    let hasEnded = false;
    const work = send(controller.signal);
    work.then(
      (value) => {
        hasEnded = true;
        if (isGivenUp) onLate({ value });
      },
      (error) => {
        hasEnded = true;
        if (isGivenUp) onLate({ error });
      },
    );
    try {
      return await Promise.race([work, givenUp(controller.signal, graceMs)]);
    } catch (error) {
      isGivenUp = true;
      if (!hasEnded) about.onGivenUp?.();
      throw error;
    } finally {
      clearTimeout(timer);
      own.delete(controller);
      if (own.size === 0) this.#byRun.delete(runId);
    }
  }
}

/** A call that was aborted has this long to end by itself. */
const ABORT_GRACE_MS = 250;
/** Longer delays make a timer fire at once (2^31 − 1 ms). */
const LONGEST_TIMER_MS = 2_147_483_647;

function givenUp(signal: AbortSignal, graceMs: number): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason), graceMs), { once: true });
  });
}

/** What keeps the lease of this worker in force, see `LeaseKeeper` of the store. */
export interface LeaseState {
  /** The worker was declared dead. */
  readonly isLost: boolean;
  readonly leftMs: number;
  /** Asks for a renewal at once; resolves when it was answered, well or not. */
  renew(): Promise<void>;
}

/** The right of a worker to work, as those see it who want to send something. */
export class Lease {
  readonly #state: LeaseState;
  readonly #marginMs: number;
  #renewing: Promise<void> | undefined;
  #isOver = false;

  /** @param marginMs with less left than this nothing non-pure is sent */
  constructor(state: LeaseState, marginMs: number) {
    this.#state = state;
    this.#marginMs = marginMs;
  }

  /** Nothing more may be sent: the worker ends. */
  end(): void {
    this.#isOver = true;
  }

  /** Waits until enough is left to send something, renewing as often as it takes; false when the lease is lost. */
  async hasMargin(): Promise<boolean> {
    while (!this.#isGone && this.#state.leftMs <= this.#marginMs) await this.#renew();
    return !this.#isGone;
  }

  get #isGone(): boolean {
    return this.#isOver || this.#state.isLost;
  }

  /** Milliseconds left; 0 once it is lost. */
  get leftMs(): number {
    return this.#isGone ? 0 : Math.max(0, this.#state.leftMs);
  }

  /** One renewal at a time serves everybody who waits for one. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#state.renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }
}

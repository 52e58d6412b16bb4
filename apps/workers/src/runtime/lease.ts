export interface LeaseOptions {
  readonly leaseMs: number;
  /** With less left than this nothing non-pure is sent. */
  readonly marginMs: number;
  /** Renews on the database's clock; false when the worker was declared dead. */
  renew(): Promise<boolean>;
  onRenewed(): Promise<void>;
  onLost(): void;
  onError(error: Error): void;
}

/** A renewal that failed is tried again after this when something waits to be sent. */
const RENEW_AGAIN_MS = 200;

/**
 * The right of a worker to work, renewed every third of its length. The remaining time is measured on this process's monotonic
 * clock from before the renewal was sent, so a wrong wall clock, a stopped process and a slow answer can only shorten it.
 */
export class Lease {
  readonly #options: LeaseOptions;
  #renewedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #isLost = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  start(): void {
    this.#renewedAt = performance.now();
    this.#schedule();
  }

  stop(): void {
    this.#isLost = true;
    clearTimeout(this.#timer);
  }

  /** Waits until enough is left to send something, renewing as often as it takes; false when the lease is lost. */
  async hasMargin(): Promise<boolean> {
    while (!this.#isLost && this.#leftMs() <= this.#options.marginMs) {
      const before = this.#renewedAt;
      await this.#renew();
      if (this.#renewedAt === before && !this.#isLost)
        await new Promise((resolve) => setTimeout(resolve, RENEW_AGAIN_MS));
    }
    return !this.#isLost;
  }

  #leftMs(): number {
    return this.#options.leaseMs - (performance.now() - this.#renewedAt);
  }

  #schedule(): void {
    this.#timer = setTimeout(
      () => void this.#renew().then(() => this.#isLost || this.#schedule()),
      this.#options.leaseMs / 3,
    );
  }

  /** One renewal at a time serves everybody who waits for one. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(): Promise<void> {
    const sentAt = performance.now();
    try {
      if (await this.#options.renew()) {
        this.#renewedAt = sentAt;
        await this.#options.onRenewed();
      } else if (!this.#isLost) {
        this.#isLost = true;
        this.#options.onLost();
      }
    } catch (error) {
      this.#options.onError(error as Error);
    }
  }
}

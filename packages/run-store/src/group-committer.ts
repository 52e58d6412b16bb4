/**
 * Group commit (architecture, "The hot path" 1): while a batch is in flight everything that arrives joins the next one. No
 * timers, so nothing waits when the committer is idle. An entry of a key that is in flight waits for that batch, so entries of
 * one key are committed in the order they came.
 */
export class GroupCommitter<Entry, Result> {
  readonly #options: GroupCommitterOptions<Entry, Result>;
  #waiting: Waiting<Entry, Result>[] = [];
  readonly #keysInFlight = new Set<string>();
  #inFlight = 0;
  #isScheduled = false;

  constructor(options: GroupCommitterOptions<Entry, Result>) {
    this.#options = options;
  }

  /** Resolves with what became of the entry; rejects when its batch could not be committed. */
  commit(entry: Entry): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, key: this.#options.keyOf(entry), resolve, reject });
      this.#schedule();
    });
  }

  /** Entries that wait or are in flight. */
  get size(): number {
    return this.#waiting.length + this.#keysInFlight.size;
  }

  /** Entries made in one turn of the event loop leave together. */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= this.#options.batchesInFlight) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    while (this.#inFlight < this.#options.batchesInFlight) {
      const batch = this.#take();
      if (batch.length === 0) return;
      this.#inFlight += 1;
      void this.#run(batch);
    }
  }

  #take(): Waiting<Entry, Result>[] {
    const { batchSize, isOnePerKey } = this.#options;
    const batch: Waiting<Entry, Result>[] = [];
    const rest: Waiting<Entry, Result>[] = [];
    const taken = new Set<string>();
    for (const waiting of this.#waiting) {
      const isHeld = this.#keysInFlight.has(waiting.key) || (isOnePerKey === true && taken.has(waiting.key));
      if (batch.length < batchSize && !isHeld) {
        batch.push(waiting);
        taken.add(waiting.key);
      } else rest.push(waiting);
    }
    this.#waiting = rest;
    for (const key of taken) this.#keysInFlight.add(key);
    return batch;
  }

  async #run(batch: Waiting<Entry, Result>[]): Promise<void> {
    const sentAt = this.#options.onSent && performance.now();
    try {
      const results = await this.#options.send(batch.map((waiting) => waiting.entry));
      batch.forEach((waiting, i) => {
        waiting.resolve(results[i]!);
      });
    } catch (error) {
      if (batch.length > 1 && this.#options.isolate?.(error)) await this.#runOneByOne(batch);
      else for (const waiting of batch) waiting.reject(error);
    } finally {
      if (sentAt !== undefined) this.#options.onSent?.(batch.length, performance.now() - sentAt);
      for (const waiting of batch) this.#keysInFlight.delete(waiting.key);
      this.#inFlight -= 1;
      this.#schedule();
    }
  }

  /** One bad entry must not take its neighbours down. */
  async #runOneByOne(batch: Waiting<Entry, Result>[]): Promise<void> {
    for (const waiting of batch) {
      try {
        const [result] = await this.#options.send([waiting.entry]);
        waiting.resolve(result!);
      } catch (error) {
        waiting.reject(error);
      }
    }
  }
}

export interface GroupCommitterOptions<Entry, Result> {
  /** Entries of one key keep their order. */
  keyOf(entry: Entry): string;
  /** Commits a batch; answers in the batch's order. All or nothing. */
  send(batch: Entry[]): Promise<Result[]>;
  readonly batchSize: number;
  readonly batchesInFlight: number;
  /** At most one entry per key in a batch. */
  readonly isOnePerKey?: boolean;
  /** True for errors that a single entry may have caused: the batch is then sent again entry by entry. */
  isolate?(error: unknown): boolean;
  /** Told of each batch once it was answered: how many entries it had, and how long it took. */
  onSent?(entries: number, tookMs: number): void;
}

interface Waiting<Entry, Result> {
  readonly entry: Entry;
  readonly key: string;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** What is to be stopped, newest first. Whoever starts a thing adds how it is stopped before anything else can fail. */
export class Closers {
  #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Stops everything; a failure does not keep the rest from being stopped. Safe to call again. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

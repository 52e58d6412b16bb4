/** How much a worker does at once: strands take a place and give it back. */
export class Room {
  readonly #places: number;
  #taken = 0;
  #waiters: (() => void)[] = [];

  constructor(places: number) {
    this.#places = places;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Free places, at least one. Call after `whenFree`. */
  get free(): number {
    return Math.max(1, this.#places - this.#taken);
  }

  take(count: number): void {
    this.#taken += count;
  }

  giveBack(count: number): void {
    this.#taken -= count;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }

  async whenFree(): Promise<void> {
    while (this.#taken >= this.#places) await this.#change();
  }

  async whenEmpty(): Promise<void> {
    while (this.#taken > 0) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }
}

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

  /** Takes a place if one is free. */
  tryTake(): boolean {
    if (this.#taken >= this.#places) return false;
    this.#taken += 1;
    return true;
  }

  /** Waits for a free place and takes as many as are free, at most `most`. Looking and taking is one step: nobody gets in between. */
  async takeSome(most: number): Promise<number> {
    while (this.#taken >= this.#places) await this.#change();
    const count = Math.min(most, this.#places - this.#taken);
    this.#taken += count;
    return count;
  }

  giveBack(count: number): void {
    this.#taken -= count;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }

  async whenEmpty(): Promise<void> {
    while (this.#taken > 0) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }
}

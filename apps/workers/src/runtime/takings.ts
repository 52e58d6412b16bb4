/**
 * Claims and commits under way: each may make node runs this worker's before the worker hears of it. Numbered in the order they
 * began, so that a look at the database can tell whether all that it may have seen the effect of were answered since.
 */
export class Takings {
  #begun = 0;
  /** In the order they began. */
  readonly #underWay = new Set<number>();

  begin(): number {
    this.#begun += 1;
    this.#underWay.add(this.#begun);
    return this.#begun;
  }

  /** Call when what it brought is held by somebody, or when it failed for good. */
  end(taking: number): void {
    this.#underWay.delete(taking);
  }

  /** Number of the newest; 0 before the first. */
  get newest(): number {
    return this.#begun;
  }

  /** Number of the oldest that has not ended; above all others when there is none. */
  get oldestUnderWay(): number {
    for (const oldest of this.#underWay) return oldest;
    return Number.POSITIVE_INFINITY;
  }
}

import type { Doorbell } from '@pawl/queue';
import { type HotPool, takeFromLines } from '@pawl/run-store/work';

/** Node runs taken out of lines at once; the next ones when these have found a place. */
const AT_ONCE = 64;

export interface LineWatchParts {
  readonly pool: HotPool;
  /** Lines whose node runs this worker can take up: what it has. */
  readonly lines: Iterable<string>;
  readonly pools: readonly string[];
  /** Takes node runs up, as if it had been rung for them. */
  onBells(bells: readonly Doorbell[]): Promise<void>;
  onError(error: Error): void;
}

/** Takes up node runs that stand in a line because somebody was wanted who has what this worker has (C53). */
export class LineWatch {
  readonly #parts: LineWatchParts;
  #lines: ReadonlySet<string>;
  #isTaking = false;
  #isDue = false;
  #isOver = false;

  constructor(parts: LineWatchParts) {
    this.#parts = parts;
    this.#lines = new Set(parts.lines);
  }

  /** What this worker has is another than before. */
  change(lines: Iterable<string>): void {
    this.#lines = new Set(lines);
    this.lookSoon();
  }

  /** Somebody stands in these lines now. */
  joined(lines: readonly string[]): void {
    if (lines.some((line) => this.#lines.has(line))) this.lookSoon();
  }

  /** Looks at all of its lines; asked for while it looks, it looks once more. */
  lookSoon(): void {
    this.#isDue = true;
    if (this.#isTaking || this.#isOver) return;
    this.#isTaking = true;
    void this.#take()
      .catch((error) => this.#isOver || this.#parts.onError(error))
      .finally(() => {
        this.#isTaking = false;
        if (this.#isDue) this.lookSoon();
      });
  }

  /** Takes nothing more. */
  stop(): void {
    this.#isOver = true;
  }

  async #take(): Promise<void> {
    const { pool, pools, onBells } = this.#parts;
    while (this.#isDue && !this.#isOver) {
      this.#isDue = false;
      const taken = await takeFromLines(pool, { keys: [...this.#lines], pools, most: AT_ONCE });
      if (taken.length === AT_ONCE) this.#isDue = true;
      await onBells(taken);
    }
  }
}

import { secretScrubber } from './secret-scrubber.ts';

/** More than a process can need; the oldest then go, so that a process that lives long does not look for ever more. */
const MOST = 1_000;

/** What no line of a log may show: known from the start, or learnt while the process runs. */
export class HiddenValues {
  readonly #fixed: readonly string[];
  readonly #learnt = new Set<string>();
  #scrub: ((line: string) => string) | undefined;

  constructor(fixed: readonly string[]) {
    this.#fixed = fixed;
    this.#scrub = secretScrubber(fixed);
  }

  /** Hides a value from the next line on. */
  add(value: string): void {
    if (this.#learnt.has(value) || this.#fixed.includes(value)) return;
    this.#learnt.add(value);
    if (this.#learnt.size > MOST)
      for (const oldest of this.#learnt) {
        this.#learnt.delete(oldest);
        break;
      }
    this.#scrub = secretScrubber([...this.#fixed, ...this.#learnt]);
  }

  scrub(line: string): string {
    return this.#scrub ? this.#scrub(line) : line;
  }
}

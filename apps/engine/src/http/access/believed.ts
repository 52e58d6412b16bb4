import { createHash } from 'node:crypto';

/** Remembered at once; the oldest goes first. */
const MOST = 1_000;

/**
 * Asks for whom a secret speaks, and believes what was found for a while, by the SHA-256 of the secret. What was not found is asked each
 * time.
 */
export class Believed<T> {
  readonly #ask: (secret: string) => Promise<T | undefined>;
  readonly #forMs: number;
  readonly #now: () => number;
  #known = new Map<string, { readonly found: T; readonly until: number }>();

  constructor(ask: (secret: string) => Promise<T | undefined>, forMs: number, now: () => number) {
    this.#ask = ask;
    this.#forMs = forMs;
    this.#now = now;
  }

  async of(secret: string): Promise<T | undefined> {
    const hash = createHash('sha256').update(secret).digest('base64');
    // What is found while all is forgotten goes with the rest.
    const known = this.#known;
    const before = known.get(hash);
    if (before && before.until > this.#now()) return before.found;
    known.delete(hash);
    const found = await this.#ask(secret);
    if (found === undefined) return undefined;
    if (known.size >= MOST) known.delete(known.keys().next().value!);
    known.set(hash, { found, until: this.#now() + this.#forMs });
    return found;
  }

  /** Somebody's access changed: all is asked again. */
  forget(): void {
    this.#known = new Map();
  }
}

/** What a worker noticed about one attempt it made; handed to the store with its outcome, and back from there to whoever watches. */
export interface AttemptNote {
  readonly path: string;
  readonly attempt: number;
  /** Epoch milliseconds, clock of the worker. */
  readonly startedAtMs: number;
  endedAtMs?: number;
  /** Milliseconds the node run was ready before it was claimed; 0 when its worker made it ready itself. */
  readonly waitedMs: number;
  readonly workerId: string;
  /** Sends the spans of the calls it made: once the attempt counts, and else never. */
  calls?: (() => void)[];
}

/** Milliseconds since the epoch with fractions, never going back while the process lives. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

/** Notes of one commit, in the order of its facts. */
export class NoteReader {
  readonly #notes: readonly AttemptNote[];
  #next = 0;

  /** @param asides what entries carried for the observer */
  constructor(asides: Iterable<unknown>) {
    const notes: AttemptNote[] = [];
    for (const aside of asides) if (Array.isArray(aside)) notes.push(...aside);
    this.#notes = notes;
  }

  /** The note of an attempt. Asked in the order of events, which is nearly that of facts. */
  take(path: string, attempt: number): AttemptNote | undefined {
    const fits = (note: AttemptNote | undefined) => note?.path === path && note.attempt === attempt;
    const next = this.#notes[this.#next];
    if (fits(next)) {
      this.#next += 1;
      return next;
    }
    return this.#notes.find(fits);
  }
}

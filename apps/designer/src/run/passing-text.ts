import type { RecordedEvent } from '@pawl/dag-core';

/** A piece of the text that an attempt of a node run is writing. */
export interface TextPiece {
  readonly attempt: number;
  /** UTF-16 units that the attempt wrote before it. */
  readonly from: number;
  readonly text: string;
}

/** Stands where a piece is missing. */
export const GAP = ' … ';

/**
 * The text of one node run while a model writes it, put together from pieces that may be lost, doubled or in another order: each
 * counts once, at its place, and none of an attempt before the newest one.
 */
export class PassingText {
  #attempt = 0;
  /** What was written before this place belongs to a call that has been answered. */
  #begin = 0;
  /** What is here without a gap, from `#begin` on. */
  #whole = '';
  /** Pieces behind a gap, by their place. */
  readonly #ahead = new Map<number, string>();

  /** The newest one that a piece came of. */
  get attempt(): number {
    return this.#attempt;
  }

  /** @returns whether the text is another one now */
  take({ attempt, from, text }: TextPiece): boolean {
    if (attempt < this.#attempt || text === '') return false;
    if (attempt > this.#attempt) this.#start(attempt, 0);
    if (from < this.#place || this.#ahead.has(from)) return false;
    this.#ahead.set(from, text);
    this.#join();
    return true;
  }

  /** The model answered and is asked once more by the same attempt: its next text stands alone. */
  answered(attempt: number): void {
    if (attempt < this.#attempt) return;
    const ends = [...this.#ahead].map(([from, text]) => from + text.length);
    this.#start(attempt, attempt > this.#attempt ? 0 : Math.max(this.#place, ...ends));
  }

  /** What is known of it; undefined: nothing is being written. */
  get text(): string | undefined {
    let { text, place } = { text: this.#whole, place: this.#place };
    for (const [from, piece] of [...this.#ahead].toSorted(([one], [other]) => one - other)) {
      text += from > place ? GAP + piece : piece;
      place = from + piece.length;
    }
    return text === '' ? undefined : text;
  }

  get #place(): number {
    return this.#begin + this.#whole.length;
  }

  #start(attempt: number, begin: number): void {
    this.#attempt = attempt;
    this.#begin = begin;
    this.#whole = '';
    this.#ahead.clear();
  }

  #join(): void {
    for (let next = this.#ahead.get(this.#place); next !== undefined; next = this.#ahead.get(this.#place)) {
      this.#ahead.delete(this.#place);
      this.#whole += next;
    }
  }
}

/** What models are writing, by path of the node run. Nothing of an attempt that has ended is taken any more. */
export class PassingTexts {
  readonly #texts = new Map<string, PassingText>();
  /** The newest attempt that has ended, by path. */
  readonly #ended = new Map<string, number>();
  readonly #changed = new Set<string>();

  /** @returns whether there is something new to show */
  take(path: string, piece: TextPiece): boolean {
    if (piece.attempt <= (this.#ended.get(path) ?? 0)) return false;
    let text = this.#texts.get(path);
    if (!text) {
      text = new PassingText();
      this.#texts.set(path, text);
    }
    if (!text.take(piece)) return false;
    this.#changed.add(path);
    return true;
  }

  /** What a recorded event says about what was passing: its outcome stands for it, or it is worth nothing. */
  follow({ type, path, attempt }: RecordedEvent): void {
    if (type === 'call.answered') this.#texts.get(path)?.answered(attempt);
    else if (type.startsWith('outcome.') || type === 'attempt.lost' || type === 'nodeRun.cancelled')
      this.#end(path, attempt);
    else return;
    this.#changed.add(path);
  }

  /** What is another text since this was last asked; undefined: nothing is being written any more. */
  changed(): ReadonlyMap<string, string | undefined> {
    const changed = new Map([...this.#changed].map((path) => [path, this.#texts.get(path)?.text]));
    this.#changed.clear();
    return changed;
  }

  #end(path: string, attempt: number): void {
    this.#ended.set(path, Math.max(attempt, this.#ended.get(path) ?? 0));
    const text = this.#texts.get(path);
    if (text && text.attempt <= attempt) this.#texts.delete(path);
  }
}

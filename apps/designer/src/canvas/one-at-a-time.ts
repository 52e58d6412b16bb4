/** Asks one question at a time; of those that come meanwhile only the newest is asked: the others have been overtaken. */
export class OneAtATime<Question extends object> {
  readonly #ask: (question: Question) => void;
  #isAsked = false;
  #next: Question | undefined;

  constructor(ask: (question: Question) => void) {
    this.#ask = ask;
  }

  put(question: Question): void {
    if (this.#isAsked) {
      this.#next = question;
      return;
    }
    this.#isAsked = true;
    this.#ask(question);
  }

  /** The question that was asked has its answer. */
  answered(): void {
    const next = this.#next;
    this.#next = undefined;
    this.#isAsked = false;
    if (next) this.put(next);
  }
}

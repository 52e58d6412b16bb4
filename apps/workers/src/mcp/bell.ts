/** Wakes one who waits. A ring while nobody waits is not lost: the next wait is over at once. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves when it is rung, or after this long. */
  async next(timeoutMs: number): Promise<void> {
    if (!this.#isRung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#wake = undefined;
    this.#isRung = false;
  }
}

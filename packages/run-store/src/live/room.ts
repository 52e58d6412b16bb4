/** The room that is left in one message, in bytes of JSON. */
export class Room {
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Takes room for a member of a list; false when it does not fit, and nothing is taken then. */
  take(member: unknown): boolean {
    const bytes = bytesOf(member) + 1;
    if (bytes > this.#bytes) return false;
    this.#bytes -= bytes;
    return true;
  }

  /**
   * Takes room for as much of the start of a text as fits beside what goes with it.
   *
   * @returns whole characters only; '' when not even one fits, and nothing is taken then
   */
  startThatFits(text: string, frame: unknown): string {
    let left = this.#bytes - bytesOf(frame) - 1;
    let end = 0;
    for (const character of text) {
      left -= bytesOf(character) - 2; // without its quotes
      if (left < 0) break;
      end += character.length;
    }
    const start = text.slice(0, end);
    return start !== '' && this.take({ ...(frame as object), text: start }) ? start : '';
  }
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

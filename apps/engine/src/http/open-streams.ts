import type { Readable } from 'node:stream';

/** The event streams that are open, so that a server that closes can end them and clients resume elsewhere. */
export class OpenStreams {
  readonly #open = new Set<Readable>();

  add(stream: Readable): void {
    this.#open.add(stream);
    stream.once('close', () => this.#open.delete(stream));
  }

  /** Ends every stream after what it has already said; no `end` event, for no run has ended. */
  endAll(): void {
    for (const stream of this.#open) stream.push(null);
  }

  get size(): number {
    return this.#open.size;
  }
}

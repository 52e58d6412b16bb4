import type { LiveBus, LiveMessage } from '../../src/http/live-bus.ts';

/** A live bus inside the process. */
export class MemoryBus implements LiveBus {
  readonly #listeners = new Map<string, Set<(message: LiveMessage) => void>>();
  /** When false, messages are lost, as a real bus may lose them. */
  isDelivering = true;

  subscribe(runId: string, listener: (message: LiveMessage) => void): () => void {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  publish(runId: string, message: LiveMessage): void {
    if (this.isDelivering) for (const listener of this.#listeners.get(runId) ?? []) listener(message);
  }

  /** Followers of a run now. */
  count(runId: string): number {
    return this.#listeners.get(runId)?.size ?? 0;
  }
}

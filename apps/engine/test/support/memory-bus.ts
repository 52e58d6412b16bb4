import type { LiveBus, LiveMessage } from '../../src/http/live-bus.ts';

/** A live bus inside the process. */
export class MemoryBus implements LiveBus {
  readonly #listeners = new Map<string, Set<(message: LiveMessage) => void>>();
  readonly #ofAll = new Set<(runIds: readonly string[] | undefined) => void>();
  /** When false, messages are lost, as a real bus may lose them. */
  isDelivering = true;

  subscribe(runId: string, listener: (message: LiveMessage) => void): () => void {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  subscribeAll(listener: (runIds: readonly string[] | undefined) => void): () => void {
    this.#ofAll.add(listener);
    return () => this.#ofAll.delete(listener);
  }

  /** Those who hear of every run now. */
  get watchers(): number {
    return this.#ofAll.size;
  }

  /** Says that wake-ups were lost, as a real bus does when it has a connection again. */
  lose(): void {
    for (const listener of this.#ofAll) listener(undefined);
  }

  publish(runId: string, message: LiveMessage): void {
    if (!this.isDelivering) return;
    for (const listener of this.#listeners.get(runId) ?? []) listener(message);
    if (message.kind === 'grew') for (const listener of this.#ofAll) listener([runId]);
  }

  /** Followers of a run now. */
  count(runId: string): number {
    return this.#listeners.get(runId)?.size ?? 0;
  }
}

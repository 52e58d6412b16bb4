import type { Verdict } from '@pawl/dag-core';
import { throughTrouble } from '../database-trouble.ts';
import { GroupCommitter } from '../group-committer.ts';
import { type HotPool, inTransaction } from '../hot-pool.ts';
import {
  findUndelivered,
  findUnpaired,
  lockWaitKeys,
  markDelivered,
  releaseSignals,
  type TakenSignal,
  takeSignals,
} from '../sql/signals.ts';

// Signals and those who wait for them find each other without a race: both sides look after their commit, so whoever is second
// sees the first. What was found is set aside for one node run, durably and exclusively, before it is delivered; a delivery that
// was made already changes nothing (T18). A process that dies between two of these steps leaves work that others find.

const AT_ONCE = 500;
/** A signal that was set aside this long ago and has not arrived was taken by a process that died. */
const LATE_MS = 2_000;

/** What the desk needs of its store. */
export interface SignalDeskParts {
  readonly pool: HotPool;
  /** Tells a node run its signal. */
  deliver(signal: TakenSignal): Promise<Verdict>;
  onError(error: Error, doing: string): void;
}

/** Brings signals and waiting node runs together. */
export class SignalDesk {
  readonly #parts: SignalDeskParts;
  readonly #looks: GroupCommitter<string, void>;

  constructor(parts: SignalDeskParts) {
    this.#parts = parts;
    this.#looks = new GroupCommitter<string, void>({
      keyOf: (waitKey) => waitKey,
      batchSize: 64,
      batchesInFlight: 2,
      send: async (waitKeys) => {
        await this.#pair(waitKeys);
        return waitKeys.map(() => undefined);
      },
    });
  }

  /**
   * Looks for signals and waiting node runs of a key and brings them together. To be called after either was committed.
   * Rejects when the database is away; what was taken by then is delivered by {@link deliverLate}.
   */
  look(waitKey: string): Promise<void> {
    return this.#looks.commit(waitKey);
  }

  /** Looks without anybody waiting for it. */
  lookSoon(waitKeys: readonly string[]): void {
    for (const waitKey of waitKeys)
      throughTrouble(() => this.look(waitKey)).catch((error) =>
        this.#parts.onError(error, 'looking for signals'),
      );
  }

  /** Delivers what was taken by a process that died before it delivered. */
  async deliverLate(olderThanMs = LATE_MS): Promise<number> {
    const late = await findUndelivered(this.#parts.pool, olderThanMs, AT_ONCE);
    this.lookSoon(await this.#deliver(late));
    return late.length;
  }

  /** Looks at every key with a signal and somebody who waits: what a process that died had to look at. */
  async lookEverywhere(): Promise<number> {
    const unpaired = await findUnpaired(this.#parts.pool, AT_ONCE);
    await Promise.all(unpaired.map(({ waitKey }) => this.look(waitKey)));
    return unpaired.length;
  }

  /** One pair of each key at a time, until no key has one. */
  async #pair(waitKeys: readonly string[]): Promise<void> {
    let keys = [...new Set(waitKeys)].sort();
    while (keys.length > 0) {
      const taken = await this.#take(keys);
      await this.#deliver(taken);
      keys = [...new Set(taken.map(({ waitKey }) => waitKey))].sort();
    }
  }

  #take(keys: readonly string[]): Promise<TakenSignal[]> {
    return inTransaction(this.#parts.pool, async ({ client, commitWith }) => {
      await lockWaitKeys(client, keys);
      return commitWith(() => takeSignals(client, keys));
    });
  }

  /** @returns keys of signals that are kept again because their node run waits no more */
  async #deliver(taken: readonly TakenSignal[]): Promise<string[]> {
    if (taken.length === 0) return [];
    const verdicts = await Promise.all(taken.map((signal) => this.#parts.deliver(signal)));
    const arrived = taken.filter((_, i) => verdicts[i] === 'applied');
    const back = taken.filter((_, i) => verdicts[i] !== 'applied');
    const { pool } = this.#parts;
    if (arrived.length > 0) await markDelivered(pool, arrived);
    if (back.length > 0) await releaseSignals(pool, back);
    return back.map(({ waitKey }) => waitKey);
  }
}

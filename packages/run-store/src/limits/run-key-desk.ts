import { throughTrouble } from '../database-trouble.ts';
import { GroupCommitter } from '../group-committer.ts';
import { type HotPool, inTransaction } from '../hot-pool.ts';
import { beginKeyedRuns, findWaitingRunKeys, lockRunKeys, type RunKey } from '../sql/run-keys.ts';
import { type OutboxBell, outboxBells } from '../use-cases/outbox-bell.ts';

// L10: a run with a key is admitted into the line of the key, and whoever admitted it looks after that commit; so does whoever ended
// a run of the key. Whoever is second sees the first, so nobody waits for a run that has ended. What a process that died had to look
// at is found by others.

const AT_ONCE = 500;

/** What the desk needs of its store. */
export interface RunKeyDeskParts {
  readonly pool: HotPool;
  ring(bells: readonly OutboxBell[]): Promise<void>;
  onError(error: Error, doing: string): void;
}

/** Lets runs that share a key go on a few at a time. */
export class RunKeyDesk {
  readonly #parts: RunKeyDeskParts;
  readonly #looks: GroupCommitter<RunKey, void>;

  constructor(parts: RunKeyDeskParts) {
    this.#parts = parts;
    this.#looks = new GroupCommitter<RunKey, void>({
      keyOf: ({ workspaceId, flow, key }) => `${workspaceId} ${flow} ${key}`,
      batchSize: 64,
      batchesInFlight: 2,
      send: async (keys) => {
        await this.#begin(keys);
        return keys.map(() => undefined);
      },
    });
  }

  /** Looks whose turn it is, without anybody waiting for it. */
  lookSoon(keys: readonly RunKey[]): void {
    for (const key of keys)
      throughTrouble(() => this.#looks.commit(key)).catch((error) =>
        this.#parts.onError(error, 'looking whose turn it is'),
      );
  }

  /** Looks at every key under which runs wait. */
  async lookEverywhere(): Promise<void> {
    const keys = await findWaitingRunKeys(this.#parts.pool, AT_ONCE);
    await Promise.all(keys.map((key) => this.#looks.commit(key)));
  }

  async #begin(keys: readonly RunKey[]): Promise<void> {
    const { outbox, runs } = await inTransaction(this.#parts.pool, async ({ client, commitWith }) => {
      await lockRunKeys(client, keys);
      return commitWith(() => beginKeyedRuns(client, keys));
    });
    if (outbox.length > 0) await this.#parts.ring(outboxBells(outbox, runs));
  }
}

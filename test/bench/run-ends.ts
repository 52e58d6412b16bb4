import { isTerminalRun, type RunStatus } from '@pawl/dag-core';
import type { HotStore } from '@pawl/run-store';

/** How often runs are looked for whose announcement was lost. Announcements may be lost, so this is needed; it is rarely used. */
const BACKSTOP_MS = 1_000;

/**
 * Tells when runs have ended: an announcement names the runs that changed, one query reads the status of all of them. While it
 * is under way further announcements gather, so the load generator costs one query per batch and never one per run.
 */
export class RunEnds {
  readonly #store: HotStore;
  readonly #waiting = new Map<string, (status: RunStatus) => void>();
  /** Runs that were announced before anybody waited for them: a short run may end before its start is answered. */
  readonly #early = new Set<string>();
  #changed = new Set<string>();
  #isAsking = false;
  readonly #unsubscribe: () => void;
  readonly #backstop: NodeJS.Timeout;
  #onTrouble: (error: unknown) => void;

  constructor(store: HotStore, onTrouble: (error: unknown) => void) {
    this.#store = store;
    this.#onTrouble = onTrouble;
    this.#unsubscribe = store.live.subscribe(({ runs }) => this.#announced(runs ?? []));
    this.#backstop = setInterval(() => this.#look(this.#waiting.keys()), BACKSTOP_MS);
  }

  /** Resolves with the status in which the run ended. */
  endOf(runId: string): Promise<RunStatus> {
    return new Promise((resolve) => {
      this.#waiting.set(runId, resolve);
      if (this.#early.delete(runId)) this.#look([runId]);
    });
  }

  close(): void {
    this.#unsubscribe();
    clearInterval(this.#backstop);
  }

  #announced(runs: readonly string[]): void {
    const waited = runs.filter((runId) => this.#waiting.has(runId) || void this.#early.add(runId));
    if (this.#early.size > 10_000) this.#early.clear();
    if (waited.length > 0) this.#look(waited);
  }

  #look(runIds: Iterable<string>): void {
    for (const runId of runIds) this.#changed.add(runId);
    if (!this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      while (this.#changed.size > 0) {
        const asked = [...this.#changed];
        this.#changed = new Set();
        const { rows } = await this.#store.pool.query<{ id: string; status: RunStatus }>({
          name: 'bench_statuses',
          text: 'select id, status from run where id = any($1::uuid[])',
          values: [asked],
        });
        for (const { id, status } of rows) if (isTerminalRun(status)) this.#ended(id, status);
      }
    } catch (error) {
      this.#onTrouble(error);
    } finally {
      this.#isAsking = false;
    }
  }

  #ended(runId: string, status: RunStatus): void {
    const resolve = this.#waiting.get(runId);
    this.#waiting.delete(runId);
    resolve?.(status);
  }
}

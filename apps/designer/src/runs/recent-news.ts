import type { RunSummary } from '@pawl/api';

/** Runs of which the newest word is kept. */
const MOST_KEPT = 1_000;

/**
 * The newest that was heard of runs lately. An answer that was on its way meanwhile may be older; what it says of these runs is
 * corrected by it.
 */
class RecentNews {
  readonly #runs = new Map<string, RunSummary>();

  hear(runs: readonly RunSummary[]): void {
    for (const run of runs) {
      this.#runs.delete(run.id);
      this.#runs.set(run.id, run);
      if (this.#runs.size > MOST_KEPT) this.#runs.delete(this.#runs.keys().next().value!);
    }
  }

  get runs(): readonly RunSummary[] {
    return [...this.#runs.values()];
  }
}

/** Of this page. */
export const recentNews = new RecentNews();

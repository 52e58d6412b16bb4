import type { Admission, Admitted } from './use-cases/admit-runs.ts';
import type { RunDecision } from './use-cases/decide-entries.ts';

/** What is written in groups. */
export type GroupedWrite = 'facts' | 'admissions' | 'outbox' | 'versions';

/**
 * Hears what a store did, after the database took it: for metrics, traces and log lines. It decides nothing, and what it throws is
 * reported and forgotten.
 */
export interface StoreObserver {
  /** Runs about which facts were decided and committed, with the events written. Each commit is told once, by its writer. */
  committed?(decisions: readonly RunDecision[]): void;
  /** Runs that were offered for admission, and which of them were admitted. */
  admitted?(admissions: readonly Admission[], results: readonly Admitted[]): void;
  /** A batch was answered: its entries, and how long it took. */
  sent?(what: GroupedWrite, entries: number, tookMs: number): void;
  /** Doorbells were offered to the queue. */
  rung?(bells: number, result: 'taken' | 'refused'): void;
}

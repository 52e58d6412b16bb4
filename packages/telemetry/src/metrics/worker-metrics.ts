import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What a worker says of itself when it is asked. */
export interface WorkerGauges {
  /** Lines of work under way, and how many there may be. */
  readonly strands: () => number;
  readonly places: () => number;
  /** Seconds left of its lease, by its own clock. */
  readonly leaseLeftSeconds: () => number;
}

/** Counts what a worker hears and takes. */
export class WorkerMetrics {
  readonly #registry: Registry;
  readonly #answered;
  readonly #claims;
  readonly #waits;

  constructor(registry: Registry) {
    this.#registry = registry;
    const registers = [registry];
    this.#answered = new Counter({
      name: 'pawl_doorbells_answered_total',
      help: 'Doorbells that this worker answered',
      registers,
    });
    this.#claims = new Counter({
      name: 'pawl_node_runs_claimed_total',
      help: 'Node runs that doorbells led to; fewer than doorbells, when others were faster',
      registers,
    });
    this.#waits = new Histogram({
      name: 'pawl_queue_wait_seconds',
      help: 'Node runs from ready to claimed by way of the queue',
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
      registers,
    });
  }

  /** A claim was answered: for so many doorbells, these. */
  claimed(bells: number, nodeRuns: readonly { readonly waitedMs?: number }[]): void {
    this.#answered.inc(bells);
    for (const { waitedMs } of nodeRuns) {
      if (waitedMs === undefined) continue; // the end of a run is claimed, too, and is none
      this.#claims.inc();
      this.#waits.observe(Math.max(0, waitedMs) / 1_000);
    }
  }

  watch({ strands, places, leaseLeftSeconds }: WorkerGauges): void {
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers: [this.#registry],
        collect() {
          this.set(read());
        },
      });
    gauge('pawl_worker_strands', 'Lines of work under way', strands);
    gauge('pawl_worker_places', 'Lines of work that may be under way at once', places);
    gauge('pawl_worker_lease_left_seconds', 'Seconds left of the lease of this worker', leaseLeftSeconds);
  }
}

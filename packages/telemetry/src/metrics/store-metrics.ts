import type { Admission, Admitted, GroupedWrite } from '@pawl/run-store/work';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { FlowLabel } from './flow-label.ts';

/** Counts what the store does: groups of writes, doorbells, admissions. */
export class StoreMetrics {
  readonly #flows: FlowLabel;
  readonly #entries;
  readonly #seconds;
  readonly #bells;
  readonly #admitted;

  constructor(registry: Registry, flows: FlowLabel) {
    this.#flows = flows;
    const registers = [registry];
    this.#entries = new Histogram({
      name: 'pawl_commit_entries',
      help: 'Entries that were written together',
      labelNames: ['what'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'pawl_commit_seconds',
      help: 'Group commits, from sending to the answer',
      labelNames: ['what'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    });
    this.#bells = new Counter({
      name: 'pawl_doorbells_rung_total',
      help: 'Doorbells offered to the queue',
      labelNames: ['result'],
      registers,
    });
    this.#admitted = new Counter({
      name: 'pawl_runs_admitted_total',
      help: 'Runs admitted',
      labelNames: ['flow', 'trigger'],
      registers,
    });
  }

  sent(what: GroupedWrite, entries: number, tookMs: number): void {
    this.#entries.observe({ what }, entries);
    this.#seconds.observe({ what }, tookMs / 1_000);
  }

  rung(bells: number, result: 'taken' | 'refused'): void {
    this.#bells.inc({ result }, bells);
  }

  admitted(admissions: readonly Admission[], results: readonly Admitted[]): void {
    admissions.forEach(({ flow, trigger }, i) => {
      // What stands behind a colon names one of many.
      const [kind] = trigger.split(':');
      if (results[i]?.isAdmitted) this.#admitted.inc({ flow: this.#flows.of(flow), trigger: kind });
    });
  }
}

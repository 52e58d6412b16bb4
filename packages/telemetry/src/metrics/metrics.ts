import { collectDefaultMetrics, Registry } from 'prom-client';
import type { DecisionReading } from '../decision-reading.ts';
import { CallMetrics } from './call-metrics.ts';
import { CommitMetrics } from './commit-metrics.ts';
import { FlowLabel } from './flow-label.ts';
import { StoreMetrics } from './store-metrics.ts';
import { WorkerMetrics } from './worker-metrics.ts';

/** The metrics that every process has, on one registry: of its commits, its calls, and itself (`process_*`, `nodejs_*`). */
export class Metrics {
  readonly registry = new Registry();
  readonly calls: CallMetrics;
  readonly store: StoreMetrics;
  readonly #commits: CommitMetrics;

  constructor() {
    const flows = new FlowLabel();
    this.#commits = new CommitMetrics(this.registry, flows);
    this.store = new StoreMetrics(this.registry, flows);
    this.calls = new CallMetrics(this.registry);
    collectDefaultMetrics({ register: this.registry });
  }

  committed(reading: DecisionReading): void {
    this.#commits.committed(reading);
  }

  ofWorker(): WorkerMetrics {
    return new WorkerMetrics(this.registry);
  }
}

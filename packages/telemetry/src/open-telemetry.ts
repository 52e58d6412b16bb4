import type {
  Admission,
  Admitted,
  GroupedWrite,
  HotPool,
  RunDecision,
  StoreObserver,
} from '@pawl/run-store/work';
import type { Logger } from 'pino';
import { Calls } from './calls.ts';
import type { TracingConfig } from './config.ts';
import { CommitLog } from './logs/commit-log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { readDecision } from './read-decision.ts';
import { CommitSpans } from './tracing/commit-spans.ts';
import { openTracing } from './tracing/open-tracing.ts';
import { RunTraces } from './tracing/run-traces.ts';
import type { Tracing } from './tracing/tracing.ts';

export interface TelemetryOptions {
  readonly tracing: TracingConfig | undefined;
  /** Counts and times; false costs nothing. */
  readonly metrics: boolean;
  readonly logger: Logger;
  readonly version: string;
  /** Which of several processes of a service this is. */
  readonly instanceId: string;
}

/**
 * What watches one process: metrics, traces and the log of what was committed. It is told after the fact, decides nothing, and its
 * troubles stay its own.
 */
export class Telemetry implements StoreObserver {
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
  readonly #log: CommitLog;
  readonly #logger: Logger;
  #spans: CommitSpans | undefined;
  #traces: RunTraces | undefined;

  private constructor(parts: {
    metrics: Metrics | undefined;
    tracing: Tracing | undefined;
    logger: Logger;
  }) {
    this.metrics = parts.metrics;
    this.tracing = parts.tracing;
    this.#logger = parts.logger;
    this.#log = new CommitLog(parts.logger);
  }

  static async open(options: TelemetryOptions): Promise<Telemetry> {
    const { logger, version, instanceId } = options;
    const tracing = await openTracing(options.tracing, {
      version,
      instanceId,
      onTrouble: (message) => logger.warn({ detail: message }, 'trouble while sending traces'),
    });
    const metrics = options.metrics ? new (await import('./metrics/metrics.ts')).Metrics() : undefined;
    return new Telemetry({ metrics, tracing, logger });
  }

  /** Where traces of runs are found; spans of runs are made from here on. */
  useStore({ pool }: { readonly pool: HotPool }): void {
    if (!this.tracing) return;
    this.#traces = new RunTraces(this.tracing, pool);
    this.#spans = new CommitSpans({ tracing: this.tracing, traces: this.#traces, pool });
  }

  /** What watches calls of tools and models; undefined when nobody wants to know. After {@link useStore}. */
  get calls(): Calls | undefined {
    if (!this.metrics && !this.#traces) return undefined;
    const tracing = this.tracing && this.#traces && { tracing: this.tracing, traces: this.#traces };
    return new Calls({ metrics: this.metrics?.calls, tracing });
  }

  /** True when it is worth noticing when each attempt began and ended. */
  get wantsNotes(): boolean {
    return this.metrics !== undefined || this.tracing !== undefined;
  }

  /**
   * Shows the metrics of a process that has no API.
   *
   * @returns the address; undefined when there are none, or when the address cannot be had, which is logged and harms nothing
   */
  async serveMetrics(at: { readonly host: string; readonly port: number }): Promise<string | undefined> {
    if (!this.metrics) return undefined;
    try {
      const { serveMetrics } = await import('./metrics/serve-metrics.ts');
      return await serveMetrics(this.metrics.registry, at);
    } catch (error) {
      this.#logger.warn({ err: error, ...at }, 'metrics cannot be shown; going on without');
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.tracing?.close();
  }

  // --- what the store tells ---------------------------------------------------------------------------------------------

  committed(decisions: readonly RunDecision[]): void {
    const isWatched = this.metrics !== undefined || this.#spans !== undefined;
    for (const decision of decisions) {
      if (!isWatched && !this.#log.isWorthALine(decision)) continue;
      const reading = readDecision(decision);
      this.#log.committed(reading);
      this.metrics?.committed(reading);
      this.#spans?.committed(reading);
    }
  }

  admitted(admissions: readonly Admission[], results: readonly Admitted[]): void {
    this.metrics?.store.admitted(admissions, results);
  }

  sent(what: GroupedWrite, entries: number, tookMs: number): void {
    this.metrics?.store.sent(what, entries, tookMs);
  }

  rung(bells: number, result: 'taken' | 'refused'): void {
    this.metrics?.store.rung(bells, result);
  }
}

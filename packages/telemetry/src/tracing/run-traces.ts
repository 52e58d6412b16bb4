import type { SpanContext } from '@opentelemetry/api';
import { GroupCommitter, type HotPool, loadRunOrigins, type RunOrigin } from '@pawl/run-store/work';
import { runSpanId, traceIdOfRun } from './span-ids.ts';
import { spanContextOf } from './trace-context.ts';
import type { SpanPlace, Tracing } from './tracing.ts';

/** Where the spans of a run stand. */
export interface RunTrace {
  readonly origin: RunOrigin;
  /** Of the run's own span, which is made when the run ends. */
  readonly context: SpanContext;
  /** Where that one stands. */
  readonly place: SpanPlace;
  readonly isSampled: boolean;
}

/** Runs that are remembered; the least recently used goes first. */
const KEPT = 5_000;

/**
 * Traces of runs: found in what was fixed when a run was admitted, so that every process finds the same, whoever died meanwhile.
 * Asked of the database once per run and process, many at once.
 */
export class RunTraces {
  readonly #tracing: Tracing;
  readonly #loads: GroupCommitter<string, RunOrigin | undefined>;
  readonly #known = new Map<string, Promise<RunTrace | undefined>>();

  constructor(tracing: Tracing, pool: HotPool) {
    this.#tracing = tracing;
    this.#loads = new GroupCommitter<string, RunOrigin | undefined>({
      keyOf: (runId) => runId,
      batchSize: 200,
      batchesInFlight: 2,
      send: async (runIds) => {
        const found = new Map((await loadRunOrigins(pool, runIds)).map((origin) => [origin.runId, origin]));
        return runIds.map((runId) => found.get(runId));
      },
    });
  }

  /** Undefined when the run does not exist or the database did not say. Never rejects. */
  of(runId: string): Promise<RunTrace | undefined> {
    const known = this.#known.get(runId);
    this.#known.delete(runId);
    const asked = known ?? this.#load(runId);
    this.#known.set(runId, asked);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > KEPT && oldest !== undefined) this.#known.delete(oldest);
    return asked;
  }

  async #load(runId: string): Promise<RunTrace | undefined> {
    try {
      const origin = await this.#loads.commit(runId);
      return origin && this.#traceOf(origin);
    } catch {
      this.#known.delete(runId);
      return undefined;
    }
  }

  #traceOf(origin: RunOrigin): RunTrace {
    const { runId, admitted } = origin;
    const parent = admitted.trace && spanContextOf(admitted.trace);
    const traceId = parent?.traceId ?? traceIdOfRun(runId);
    const place = parent ? { parent } : { traceId };
    const isSampled = this.#tracing.isSampled(traceId, place);
    const context = {
      traceId,
      spanId: runSpanId(runId),
      traceFlags: isSampled ? 1 : 0,
      ...(parent?.traceState && { traceState: parent.traceState }),
    };
    return { origin, context, place, isSampled };
  }
}

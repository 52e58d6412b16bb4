import type { DoorbellQueue } from '@pawl/queue';
import { countWork, type HotStore, type Ticked, type WorkCount } from '@pawl/run-store';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** How long one reading serves at least: scrapers that ask more often get the same figures. */
const FRESH_MS = 5_000;
/** A reading that took long serves this many times as long, so that counting never is more than a few per cent of what goes on. */
const SERVES_TIMES = 20;
/** A scrape does not wait longer for a reading; the gauges then stay as they were. */
const PATIENCE_MS = 2_000;

type Reading = WorkCount & { readonly waiting?: number };

/** Gauges of what waits and who works, read when they are scraped. A database that is away leaves them as they were. */
export function engineMetrics(registry: Registry, store: HotStore, queue: DoorbellQueue): void {
  const read = readingNowAndThen(() => readAll(store, queue));
  const gauge = (name: string, help: string, of: (reading: Reading) => number | null | undefined) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const reading = await read();
        const value = reading && of(reading);
        // Nothing waits, so nothing has waited for any time.
        if (value !== undefined) this.set(value ?? 0);
      },
    });
  gauge('pawl_outbox_rows', 'Doorbells committed and not yet taken by the queue', ({ outbox }) => outbox);
  gauge('pawl_outbox_oldest_seconds', 'Age of the oldest of them', ({ outboxSeconds }) => outboxSeconds);
  gauge('pawl_queue_waiting', 'Queue jobs waiting', ({ waiting }) => waiting);
  gauge('pawl_node_runs_ready', 'Node runs that wait for a worker', ({ ready }) => ready);
  gauge('pawl_ready_oldest_seconds', 'How long the oldest of them waits', ({ readySeconds }) => readySeconds);
  gauge('pawl_node_runs_running', 'Node runs that a worker holds', ({ running }) => running);
  gauge('pawl_node_runs_retry_wait', 'Node runs that wait for an instant', ({ retryWait }) => retryWait);
  gauge(
    'pawl_node_runs_uncertain',
    'Effects that may or may not have happened and wait for a person',
    ({ uncertain }) => uncertain,
  );
  gauge('pawl_node_runs_blocked', 'Calls that wait for more budget', ({ blocked }) => blocked);
  gauge('pawl_workers_live', 'Workers with a lease', ({ workers }) => workers);
  gauge(
    'pawl_workers_lease_left_seconds',
    'What is left of the lease that ends next',
    ({ leaseSeconds }) => leaseSeconds,
  );
  openRuns(registry, read);
}

const OPEN = ['pending', 'running', 'waiting', 'paused', 'cancelling', 'compensating'] as const;

function openRuns(registry: Registry, read: () => Promise<Reading | undefined>): void {
  new Gauge({
    name: 'pawl_runs_open',
    help: 'Runs that have not ended',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const reading = await read();
      if (reading) for (const status of OPEN) this.set({ status }, reading.runs[status] ?? 0);
    },
  });
}

/** What an engine did of what should have been done without it. */
export interface RoundsMetrics {
  /** Doorbells rung by the relay, whose writer did not ring, and by the sweep, which nobody answered. */
  rungAgain(by: 'relay' | 'sweep', bells: number): void;
}

export function roundsMetrics(registry: Registry): RoundsMetrics {
  const bells = new Counter({
    name: 'pawl_doorbells_rung_again_total',
    help: 'Doorbells that had been forgotten',
    labelNames: ['by'],
    registers: [registry],
  });
  return { rungAgain: (by, count) => bells.inc({ by }, count) };
}

/** One reading at a time, kept for a while; undefined when it could not be had, or not soon enough for whoever scrapes. */
function readingNowAndThen(readAll: () => Promise<Reading>): () => Promise<Reading | undefined> {
  let staleAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Reading | undefined> | undefined;
  return () => {
    const startedAt = performance.now();
    if (reading && startedAt < staleAt) return inTime(reading);
    staleAt = Number.POSITIVE_INFINITY;
    reading = readAll()
      .catch(() => undefined)
      .finally(() => {
        const tookMs = performance.now() - startedAt;
        staleAt = performance.now() + Math.max(FRESH_MS, tookMs * SERVES_TIMES);
      });
    return inTime(reading);
  };
}

const inTime = <T>(reading: Promise<T>): Promise<T | undefined> =>
  Promise.race([
    reading,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS).unref()),
  ]);

async function readAll(store: HotStore, queue: DoorbellQueue): Promise<Reading> {
  const [work, depth] = await Promise.all([countWork(store.pool), queue.depth().catch(() => undefined)]);
  return { ...work, ...(depth && { waiting: depth.waiting }) };
}

/** Counts what this engine does about slots of schedules; give it each look that did something. */
export function scheduleMetrics(registry: Registry): (ticked: Ticked) => void {
  const slots = new Counter({
    name: 'pawl_schedule_slots_total',
    help: 'Slots of schedules decided about, by what became of them',
    labelNames: ['state'],
    registers: [registry],
  });
  const late = new Histogram({
    name: 'pawl_schedule_late_seconds',
    help: 'Seconds from a slot to the start of its run, jitter included',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 3_600, 86_400],
    registers: [registry],
  });
  return (ticked) => {
    for (const state of ['started', 'failed', 'skipped', 'missed'] as const)
      if (ticked[state] > 0) slots.inc({ state }, ticked[state]);
    for (const lateMs of ticked.lateMs) late.observe(lateMs / 1_000);
  };
}

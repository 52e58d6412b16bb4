import type { DoorbellQueue } from '@pawl/queue';
import { countWork, type HotStore } from '@pawl/run-store';
import { Gauge, type Registry } from 'prom-client';

/** How long one reading serves: scrapers that ask more often get the same figures. */
const FRESH_MS = 5_000;

/** Gauges of what waits and who works, read when they are scraped. A database that is away leaves them as they were. */
export function engineMetrics(registry: Registry, store: HotStore, queue: DoorbellQueue): void {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Record<string, number>> | undefined;
  const read = () => {
    const now = performance.now();
    if (!reading || now - readAt > FRESH_MS) {
      readAt = now;
      reading = readAll(store, queue);
    }
    return reading;
  };
  const gauge = (name: string, help: string, of: string) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await read().then(
          (all) => all[of],
          () => undefined,
        );
        if (value !== undefined) this.set(value);
      },
    });
  gauge('pawl_outbox_rows', 'Doorbells committed and not yet taken by the queue', 'outbox');
  gauge('pawl_queue_waiting', 'Queue jobs waiting', 'waiting');
  gauge('pawl_node_runs_ready', 'Node runs that wait for a worker', 'ready');
  gauge('pawl_node_runs_running', 'Node runs that a worker holds', 'running');
  gauge('pawl_node_runs_retry_wait', 'Node runs that wait for their next attempt', 'retryWait');
  gauge(
    'pawl_node_runs_uncertain',
    'Effects that may or may not have happened and wait for a person',
    'uncertain',
  );
  gauge('pawl_workers_live', 'Workers with a lease', 'workers');
}

async function readAll(store: HotStore, queue: DoorbellQueue): Promise<Record<string, number>> {
  const [work, depth] = await Promise.all([countWork(store.pool), queue.depth().catch(() => undefined)]);
  return { ...work, ...(depth && { waiting: depth.waiting }) };
}

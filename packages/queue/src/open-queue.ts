import { BullQueue } from './bull-queue.ts';
import type { Doorbell, DoorbellQueue, QueueConfig, QueueDepth, RingOptions } from './doorbells.ts';
import { QueueClosedError } from './errors.ts';

/**
 * Opens the ringing side: the queue of the configuration's pool now, those of other pools when they are first rung. A Redis that
 * is away does not stop it: rings fail until Redis is there.
 *
 * @throws {QueueNotPreparedError} on PostgreSQL when `prepareQueue` was never called
 * @throws {QueueUnavailableError} when PostgreSQL is away
 */
export async function openQueue(config: QueueConfig): Promise<DoorbellQueue> {
  const first = new BullQueue(config);
  try {
    await first.start();
  } catch (error) {
    await first.close();
    throw error;
  }
  return new PoolQueues(config, first);
}

/** One queue per pool. */
class PoolQueues implements DoorbellQueue {
  readonly #config: QueueConfig;
  readonly #first: BullQueue;
  readonly #others = new Map<string, BullQueue>();
  #closed: Promise<void> | undefined;

  constructor(config: QueueConfig, first: BullQueue) {
    this.#config = config;
    this.#first = first;
  }

  async ring(bells: readonly Doorbell[], { pool, priority = 0 }: RingOptions = {}): Promise<void> {
    return this.#of(pool).ring(bells, priority);
  }

  async depth(pool?: string): Promise<QueueDepth> {
    return this.#of(pool).depth();
  }

  close(): Promise<void> {
    this.#closed ??= Promise.all([this.#first, ...this.#others.values()].map((queue) => queue.close())).then(
      () => undefined,
    );
    return this.#closed;
  }

  #of(pool = this.#first.pool): BullQueue {
    if (pool === this.#first.pool) return this.#first;
    if (this.#closed) throw new QueueClosedError();
    const found = this.#others.get(pool) ?? new BullQueue({ ...this.#config, pool });
    this.#others.set(pool, found);
    return found;
  }
}

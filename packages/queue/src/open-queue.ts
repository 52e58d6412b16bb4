import { BullQueue } from './bull-queue.ts';
import type { DoorbellQueue, QueueConfig, QueueDepth, RingOptions, RungBell } from './doorbells.ts';
import { QueueClosedError } from './errors.ts';
import { USUAL_URGENCY } from './turns.ts';

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

/** A queue and its first contact with the server: over when the server answered, or when it is known to be away. */
interface Opening {
  readonly queue: BullQueue;
  readonly contact: Promise<void>;
}

/** One queue per pool. */
class PoolQueues implements DoorbellQueue {
  readonly #config: QueueConfig;
  readonly #first: BullQueue;
  readonly #others = new Map<string, Opening>();
  #closed: Promise<void> | undefined;

  constructor(config: QueueConfig, first: BullQueue) {
    this.#config = config;
    this.#first = first;
  }

  ring(bells: readonly RungBell[], { pool, priority = USUAL_URGENCY }: RingOptions = {}): Promise<void> {
    return this.#with(pool, (queue) => queue.ring(bells, priority));
  }

  depth(pool?: string): Promise<QueueDepth> {
    return this.#with(pool, (queue) => queue.depth());
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  // What is asked of an open queue begins in the caller's turn, so that a close right after it waits for it.
  async #with<T>(pool = this.#first.pool, ask: (queue: BullQueue) => Promise<T>): Promise<T> {
    if (pool === this.#first.pool) return ask(this.#first);
    if (this.#closed) throw new QueueClosedError();
    const { queue, contact } = this.#others.get(pool) ?? this.#openPool(pool);
    await contact;
    return ask(queue);
  }

  #openPool(pool: string): Opening {
    const queue = new BullQueue({ ...this.#config, pool });
    // A server that is away refuses the ring itself, with the reason.
    const opening = { queue, contact: queue.start().catch(() => undefined) };
    this.#others.set(pool, opening);
    return opening;
  }

  async #closeAll(): Promise<void> {
    const others = [...this.#others.values()].map(async ({ queue, contact }) => {
      await contact;
      await queue.close();
    });
    await Promise.all([this.#first.close(), ...others]);
  }
}

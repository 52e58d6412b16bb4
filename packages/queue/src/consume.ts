import { DelayedError, type Job, WaitingError } from 'bullmq';
import type { Answerer } from './connection.ts';
import type { ConsumeOptions, DoorbellConsumer, QueueConfig } from './doorbells.ts';
import { NewerMessageError, QueueConfigError, UnreadableMessageError } from './errors.ts';
import { explainFailure } from './explain-failure.ts';
import { type Message, messageVersion, readMessage } from './message.ts';
import { openAnswerer } from './open-connection.ts';
import { type TroubleSink, troubleSink } from './trouble.ts';

/**
 * Starts answering doorbells.
 *
 * @throws {QueueConfigError} when `fetchers` is below 1
 * @throws {QueueNotPreparedError} on PostgreSQL when `prepareQueue` was never called
 * @throws {QueueUnavailableError} when PostgreSQL is away; a Redis that is away is waited for in the background
 */
export async function consume(config: QueueConfig, options: ConsumeOptions): Promise<DoorbellConsumer> {
  if (!Number.isInteger(options.fetchers) || options.fetchers < 1) {
    throw new QueueConfigError('fetchers', options.fetchers, 'an integer of 1 or more');
  }
  const consumer = new BullConsumer(config, options);
  try {
    await consumer.start();
  } catch (error) {
    await consumer.close({ timeoutMs: 0 });
    throw explainFailure(config, error);
  }
  return consumer;
}

class BullConsumer implements DoorbellConsumer {
  readonly #config: QueueConfig;
  readonly #options: ConsumeOptions;
  readonly #trouble: TroubleSink;
  readonly #answerer: Answerer;
  readonly #running = new Map<Job<Message>, string>();
  readonly #stalledCheck: NodeJS.Timeout;
  #stopped: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(config: QueueConfig, options: ConsumeOptions) {
    this.#config = config;
    this.#options = options;
    this.#trouble = troubleSink(config.onTrouble);
    this.#answerer = openAnswerer(config, (job, token) => this.#answer(job, token ?? ''), {
      concurrency: options.fetchers,
      lockDuration: options.lockMs ?? 60_000,
      // Attempts are counted in PostgreSQL; a delivery may change hands as often as it must.
      maxStalledCount: 1_000_000,
      // BullMQ ends its own check for good at the first error that is not a refused connection, a restart for instance.
      skipStalledCheck: true,
      stalledInterval: options.stalledCheckMs ?? 15_000,
      drainDelay: 5,
      runRetryDelay: 500,
      settings: { backoffStrategy: redeliverAfterMs },
    });
    this.#answerer.worker.on('error', this.#trouble);
    this.#answerer.worker.on('failed', (_job, error) => this.#trouble(error));
    this.#stalledCheck = setInterval(() => this.#reclaimStalled(), options.stalledCheckMs ?? 15_000);
    this.#stalledCheck.unref();
  }

  async start(): Promise<void> {
    const ready = this.#answerer.worker.waitUntilReady();
    ready.catch(() => {});
    if (this.#config.backend === 'postgres') await ready;
    else await atMost(ready, this.#config.ringTimeoutMs ?? 5_000);
  }

  async pause(): Promise<void> {
    this.#stopFetching();
  }

  close(options: { readonly timeoutMs?: number } = {}): Promise<void> {
    this.#closed ??= this.#close(options.timeoutMs ?? 10_000);
    return this.#closed;
  }

  // Resolves when the running handlers are done. What BullMQ still fetches meanwhile is given back by #answer.
  #stopFetching(): Promise<void> {
    this.#stopped ??= this.#answerer.worker.pause().catch(this.#trouble);
    return this.#stopped;
  }

  async #close(timeoutMs: number): Promise<void> {
    clearInterval(this.#stalledCheck);
    const stopped = this.#stopFetching();
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const leftMs = deadline - Date.now();
      if (await atMost(stopped, Math.max(0, Math.min(leftMs, 2_000)))) break;
      // Without a handler only an absent server can hold it up; that is not waited for.
      if (leftMs <= 0 || this.#running.size === 0) break;
    }
    if (this.#running.size > 0) await atMost(this.#giveBack(), 1_000);
    // By force, because BullMQ's gentle way hangs on an absent server before it stops its timers.
    await atMost(this.#answerer.worker.close(true).catch(this.#trouble), 1_000);
    await atMost(this.#answerer.abandon().catch(this.#trouble), 1_000);
  }

  async #answer(job: Job<Message>, token: string): Promise<void> {
    if (this.#stopped) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const message = readMessage(job.data);
    if (message.kind === 'unreadable') return this.#trouble(new UnreadableMessageError(job.id ?? ''));
    if (message.kind === 'newer') return this.#putAside(job, token, message.version);
    this.#running.set(job, token);
    try {
      await this.#options.onBells(message.bells);
    } finally {
      this.#running.delete(job);
    }
  }

  // C53: given back without using an attempt. The delay leaves it to a newer worker and keeps this one from spinning.
  async #putAside(job: Job<Message>, token: string, version: number): Promise<never> {
    const delayMs = this.#options.newerVersionDelayMs ?? 5_000;
    this.#trouble(new NewerMessageError(version, messageVersion, delayMs));
    await job.moveToDelayed(Date.now() + delayMs, token);
    throw new DelayedError();
  }

  async #giveBack(): Promise<void> {
    await Promise.allSettled([...this.#running].map(([job, token]) => job.moveToWait(token)));
  }

  // Two passes: the first marks deliveries whose lock has run out, the second gives them to others.
  #reclaimStalled(): void {
    this.#answerer.worker.getBackend().moveStalledJobsToWait().catch(this.#trouble);
  }
}

/** Pause before a failed delivery comes again: 100 ms, doubling, at most 10 s, with jitter against herds. */
function redeliverAfterMs(attemptsMade: number): number {
  const full = Math.min(100 * 2 ** Math.min(attemptsMade - 1, 10), 10_000);
  return Math.round(full * (0.5 + Math.random() / 2));
}

/** Waits for a promise that may never settle; false when the time was up first. */
async function atMost(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}

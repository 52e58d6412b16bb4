import type { JobsOptions } from 'bullmq';
import { Batches, bellsPerJob, chunksOf, type Gathered } from './batches.ts';
import type { Producer } from './connection.ts';
import type { QueueConfig, QueueDepth, RungBell } from './doorbells.ts';
import { QueueClosedError, QueueConfigError, QueueUnavailableError } from './errors.ts';
import { explainFailure } from './explain-failure.ts';
import { writeMessage } from './message.ts';
import { openProducer } from './open-connection.ts';
import { poolOf } from './queue-name.ts';
import { type TroubleSink, troubleSink } from './trouble.ts';
import { plainStamp, Turns } from './turns.ts';

const leastUrgent = 9;

/** With as many jobs waiting workspaces take turns; a shorter queue needs no order. */
const crowdedFromJobs = 8;

/** After as many doorbells, or a longer time while workspaces take turns, a ring looks how long the queue is. */
const lookAfterBells = 64;
const lookAfterMs = 50;

/** How often the number of consumers is asked for while rings of more than one doorbell come in. */
const countConsumersEveryMs = 5_000;

/** The ringing side of one pool. */
export class BullQueue {
  readonly pool: string;
  readonly #config: QueueConfig;
  readonly #timeoutMs: number;
  readonly #trouble: TroubleSink;
  readonly #batches = new Batches((bells, priority, gathered) => this.#send(bells, priority, gathered));
  #producer: Producer | undefined;
  #consumers = 1;
  #consumersAskedAt = 0;
  readonly #turns = new Turns();
  #isCrowded = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #rungSinceLook = 0;
  #closed: Promise<void> | undefined;

  constructor(config: QueueConfig) {
    this.#config = config;
    this.pool = poolOf(config);
    this.#timeoutMs = config.ringTimeoutMs ?? 5_000;
    this.#trouble = troubleSink(config.onTrouble);
  }

  /** A Redis that is away does not stop it; a PostgreSQL that is away does. */
  async start(): Promise<void> {
    const { queue } = this.#open();
    try {
      await this.#answer(queue.waitUntilReady());
      await this.#countConsumers();
    } catch (error) {
      if (this.#config.backend === 'postgres') throw error;
      this.#trouble(error);
    }
  }

  ring(bells: readonly RungBell[], priority: number): Promise<void> {
    if (!Number.isInteger(priority) || priority < 1 || priority > leastUrgent) {
      return Promise.reject(
        new QueueConfigError('priority', priority, `an integer from 1 to ${leastUrgent}`),
      );
    }
    if (this.#closed) return Promise.reject(new QueueClosedError());
    return this.#batches.add(bells, priority);
  }

  async depth(): Promise<QueueDepth> {
    if (this.#closed) throw new QueueClosedError();
    const { queue } = this.#reachable();
    const counts = await this.#answer(queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed'));
    return {
      waiting: (counts.waiting ?? 0) + (counts.prioritized ?? 0),
      active: counts.active ?? 0,
      delayed: counts.delayed ?? 0,
    };
  }

  close(): Promise<void> {
    this.#closed ??= this.#batches.idle().then(() => this.#dropProducer());
    return this.#closed;
  }

  async #send(bells: RungBell[], urgency: number, gathered: Gathered): Promise<void> {
    const producer = this.#reachable();
    if (bells.length > 1) void this.#countConsumers();
    await this.#lookHowLong(producer, bells.length);
    const jobs = this.#chunks(bells, gathered).map((chunk) => ({
      name: 'ring',
      data: writeMessage(chunk),
      opts: jobOptions(
        this.#isCrowded
          ? this.#turns.stamp(chunk[0]!.workspaceId ?? '', chunk.length, urgency)
          : plainStamp(urgency),
      ),
    }));
    await this.#answer<unknown>(
      jobs.length <= producer.mostSingleAdds
        ? Promise.all(jobs.map((job) => producer.queue.add(job.name, job.data, job.opts)))
        : producer.queue.addBulk(jobs),
    );
  }

  /** The doorbells of each job; where workspaces take turns a job is of one. */
  #chunks(bells: readonly RungBell[], gathered: Gathered): RungBell[][] {
    const size = bellsPerJob(bells.length, this.#consumers, gathered);
    if (!this.#isCrowded) return chunksOf(bells, size);
    const byWorkspace = new Map<string, RungBell[]>();
    for (const bell of bells) {
      const own = byWorkspace.get(bell.workspaceId ?? '');
      if (own) own.push(bell);
      else byWorkspace.set(bell.workspaceId ?? '', [bell]);
    }
    return [...byWorkspace.values()].flatMap((own) => chunksOf(own, size));
  }

  // A short queue is looked at once in many doorbells, a long one as long as it is long. What rings little is in front anyway.
  async #lookHowLong({ queue }: Producer, count: number): Promise<void> {
    this.#rungSinceLook += count;
    const now = performance.now();
    const isTime = this.#isCrowded && now - this.#lookedAt >= lookAfterMs;
    if (this.#rungSinceLook < lookAfterBells && !isTime) return;
    this.#rungSinceLook = 0;
    this.#lookedAt = now;
    const { waiting = 0, prioritized = 0 } = await this.#answer(queue.getJobCounts('waiting', 'prioritized'));
    this.#isCrowded = waiting >= crowdedFromJobs || prioritized > 0;
    if (prioritized === 0) return this.#turns.isAt(undefined);
    const [first] = await this.#answer(queue.getJobs(['prioritized'], 0, 0, true));
    this.#turns.isAt(first?.opts.priority);
  }

  // Rings ask in the background: a wrong guess only makes a job larger or smaller than it should be.
  async #countConsumers(): Promise<void> {
    const now = Date.now();
    if (now - this.#consumersAskedAt < countConsumersEveryMs) return;
    this.#consumersAskedAt = now;
    try {
      this.#consumers = Math.max(1, await this.#answer(this.#reachable().queue.getWorkersCount()));
    } catch {}
  }

  #reachable(): Producer {
    const producer = this.#open();
    const reason = producer.unreachable();
    if (reason) throw new QueueUnavailableError(this.#config.backend, reason);
    return producer;
  }

  // BullMQ remembers a failed first contact for ever, so such a queue is thrown away and the next call makes a new one.
  #open(): Producer {
    if (this.#producer) return this.#producer;
    const producer = openProducer(this.#config, this.#timeoutMs);
    producer.queue.on('error', this.#trouble);
    producer.queue.waitUntilReady().catch(() => {
      if (this.#producer === producer) this.#dropProducer().catch(this.#trouble);
    });
    this.#producer = producer;
    return producer;
  }

  async #dropProducer(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    await producer?.close();
  }

  async #answer<T>(asked: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#producer?.reconnect();
        reject(new QueueUnavailableError(this.#config.backend, `no answer within ${this.#timeoutMs} ms`));
      }, this.#timeoutMs);
    });
    asked.catch(() => {});
    try {
      return await Promise.race([asked, late]);
    } catch (error) {
      throw explainFailure(this.#config, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Job ids are left to BullMQ: a retained finished job with an own id would swallow the next ring of that id. */
/** @param stamp see {@link Turns}; 0: before all that have one, in the order they come */
function jobOptions(stamp: number): JobsOptions {
  const options: JobsOptions = {
    removeOnComplete: true,
    removeOnFail: { count: 1_000, age: 86_400 },
    // About 15 minutes of redelivery; after that the sweeper rings again for what is still ready.
    attempts: 100,
    backoff: { type: 'doorbell' },
    stackTraceLimit: 1,
  };
  if (stamp > 0) options.priority = stamp;
  return options;
}

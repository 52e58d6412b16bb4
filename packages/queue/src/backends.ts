// How BullMQ is connected to either backend. The only file that knows the options of the two drivers.

import {
  createPostgresBackend,
  createRedisBackend,
  Queue,
  type QueueOptions,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueConfig, RedisQueueConfig } from './doorbells.ts';
import { QueueConfigError } from './errors.ts';
import type { Message } from './message.ts';

/** A BullMQ queue with what this package needs to know about its connection. */
export interface Producer {
  readonly queue: Queue<Message>;
  /** Up to how many jobs are cheaper to add one by one, all at once, than with `addBulk`. */
  readonly mostSingleAdds: number;
  /** Why the server cannot be reached right now, without asking it; undefined when it seems fine. */
  unreachable(): string | undefined;
  /** Called when the server did not answer in time: a half-open connection is replaced. */
  reconnect(): void;
  close(): Promise<void>;
}

/** What a BullMQ processor looks like here. */
export type Processor = ConstructorParameters<typeof Worker<Message, void>>[1];

/** Default schema of the queue's tables on PostgreSQL. */
export const defaultSchema = 'pawl_queue';

/** A reconnecting client asks again after 50 ms, 100 ms, … at most 1 s: BullMQ's own default grows to 20 s (C49). */
const retryStrategy = (times: number): number => Math.min(50 * 2 ** Math.min(times, 10), 1_000);

/** Opens the ringing side. Does not wait for the server. */
export function openProducer(config: QueueConfig, timeoutMs: number): Producer {
  return config.backend === 'redis' ? redisProducer(config, timeoutMs) : postgresProducer(config, timeoutMs);
}

function redisProducer(config: RedisQueueConfig, timeoutMs: number): Producer {
  const client = new Redis(config.url, {
    ...redisOptions,
    // A ring must fail while the caller can still leave its outbox row to the relay: nothing is kept for later.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
  });
  const queue = new Queue<Message>(queueName(config), {
    ...queueOptions,
    connection: client,
    prefix: redisPrefix(config),
  });
  return {
    queue,
    // Measured on two cores, jobs/s one by one and in bulk: 1 job 7,700 and 4,300; 4 jobs 19,400 and 13,300; 64 jobs
    // 42,000 and 28,000. The client writes concurrent commands in one go, and MULTI only adds to that.
    mostSingleAdds: Number.POSITIVE_INFINITY,
    unreachable: () => (client.status === 'ready' ? undefined : `the connection is ${client.status}`),
    reconnect: () => client.disconnect(true),
    close: async () => {
      await queue.close().catch(() => {});
      client.disconnect();
    },
  };
}

function postgresProducer(config: QueueConfig, timeoutMs: number): Producer {
  const queue = new Queue<Message>(
    queueName(config),
    { ...queueOptions, connection: postgresConnection(config, 4, timeoutMs) } as unknown as QueueOptions,
    createPostgresBackend as never,
  );
  return {
    queue,
    // Measured: 1 job 2,100 and 340 (bulk makes temporary tables); 4 jobs 3,900 and 1,300; 16 jobs 4,000 and 4,500;
    // 64 jobs 3,000 and 9,100.
    mostSingleAdds: 12,
    unreachable: () => undefined,
    reconnect: () => {},
    close: () => queue.close(),
  };
}

/** Opens the answering side; it starts fetching at once. */
export function openWorker(
  config: QueueConfig,
  processor: Processor,
  options: Omit<WorkerOptions, 'connection'>,
): Worker<Message, void> {
  const name = queueName(config);
  if (config.backend === 'redis') {
    const connection = { ...redisOptions, url: config.url, maxRetriesPerRequest: null };
    return new Worker<Message, void>(
      name,
      processor,
      { ...options, connection, prefix: redisPrefix(config) },
      patient(createRedisBackend),
    );
  }
  const connections = Math.min((options.concurrency ?? 1) + 1, 10);
  return new Worker<Message, void>(
    name,
    processor,
    { ...options, connection: postgresConnection(config, connections, 5_000) } as unknown as WorkerOptions,
    patient(createPostgresBackend as never),
  );
}

type Factory = typeof createRedisBackend;

/**
 * Two changes to a worker's backend. A claim that fails waits 200 ms before the worker hears of it: BullMQ pauses only
 * for a refused connection and would otherwise ask thousands of times a second while a server starts up or is read-only.
 * And no wait for a job lasts longer than 10 s: after an error BullMQ's PostgreSQL backend may sleep for an hour.
 */
function patient(factory: Factory): Factory {
  return (name, options, factoryOptions) => {
    const backend = factory(name, options, factoryOptions);
    const claim = backend.moveToActive.bind(backend);
    backend.moveToActive = async (...args) => {
      try {
        return await claim(...args);
      } catch (error) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        throw error;
      }
    };
    Object.defineProperty(backend, 'maximumBlockTimeout', { value: 10 });
    return backend;
  };
}

const redisOptions = { retryStrategy, keepAlive: 10_000 };

/** BullMQ keeps a stream of events nobody here reads; it is kept short. */
const queueOptions = { streams: { events: { maxLen: 100 } } };

/**
 * The connection options of BullMQ's PostgreSQL backend. Commits of the queue do not wait for the disk: a doorbell may be
 * lost, and waiting would cost as much as everything else together.
 */
export function postgresConnection(config: QueueConfig, max: number, timeoutMs: number) {
  const asked = new URL(config.url).searchParams.get('options');
  const url = new URL(config.url);
  url.searchParams.delete('options'); // in the URL they would replace the search path that BullMQ sets
  return {
    connectionString: url.toString(),
    options: [asked, '-c synchronous_commit=off'].filter(Boolean).join(' '),
    schema: schemaOf(config),
    max,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  };
}

/** The schema of a PostgreSQL queue, checked. */
export function schemaOf(config: QueueConfig): string {
  const schema = (config.backend === 'postgres' ? config.schema : undefined) ?? defaultSchema;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new QueueConfigError('schema', schema, 'a lower-case identifier of at most 63 characters');
  }
  return schema;
}

function poolOf(config: QueueConfig): string {
  const pool = config.pool ?? 'default';
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(pool)) {
    throw new QueueConfigError('pool', pool, '1 to 100 letters, digits, "_", "-" or "."');
  }
  return pool;
}

/** The name BullMQ knows a pool's queue by. */
export function queueName(config: QueueConfig): string {
  return `doorbells-${poolOf(config)}`;
}

/** Braces make the pool the hash tag: all keys of one pool live on one node of a cluster, pools spread. */
function redisPrefix(config: RedisQueueConfig): string {
  const prefix = config.prefix ?? 'pawl';
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(prefix)) {
    throw new QueueConfigError('prefix', prefix, '1 to 100 letters, digits, "_", "-" or "."');
  }
  return `{${prefix}.${poolOf(config)}}`;
}

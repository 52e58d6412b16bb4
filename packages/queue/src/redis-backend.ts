// BullMQ on Redis or Valkey through ioredis. The clients are made here, because BullMQ cannot let go of a client that is
// waiting to reconnect.

import { createRedisBackend, Queue, Worker } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import {
  type Answerer,
  type AnswererOptions,
  type Processor,
  type Producer,
  patient,
  queueOptions,
} from './connection.ts';
import type { RedisQueueConfig } from './doorbells.ts';
import type { Message } from './message.ts';
import { queueName, redisPrefix } from './queue-name.ts';

const keepAliveMs = 10_000;

/** A client asks again after 100 ms, 200 ms, … at most 1 s: BullMQ's own default grows to 20 s (C49). */
const reconnectAfterMs = (times: number): number => Math.min(50 * 2 ** Math.min(times, 10), 1_000);

/** The ringing side. */
export function redisProducer(config: RedisQueueConfig, timeoutMs: number): Producer {
  const client = new Redis(config.url, {
    keepAlive: keepAliveMs,
    retryStrategy: reconnectAfterMs,
    connectTimeout: timeoutMs,
    // A ring must fail while the caller can still leave its outbox row to the relay: nothing is kept for later.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
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

/** The answering side: one connection for commands and one that waits for jobs. */
export function redisAnswerer(
  config: RedisQueueConfig,
  processor: Processor,
  options: AnswererOptions,
): Answerer {
  let isAbandoned = false;
  const clients: Redis[] = [];
  const own = (client: Redis): Redis => {
    const duplicate = client.duplicate.bind(client);
    client.duplicate = (override?: Partial<RedisOptions>) => own(duplicate(override));
    clients.push(client);
    return client;
  };
  const connection = own(
    new Redis(config.url, {
      keepAlive: keepAliveMs,
      retryStrategy: (times) => (isAbandoned ? null : reconnectAfterMs(times)),
      maxRetriesPerRequest: null,
    }),
  );
  const worker = new Worker<Message, void>(
    queueName(config),
    processor,
    { ...options, connection, prefix: redisPrefix(config) },
    patient(createRedisBackend),
  );
  const abandon = async () => {
    isAbandoned = true;
    for (const client of clients) client.disconnect();
  };
  return { worker, abandon };
}

// BullMQ's PostgreSQL backend: a pool for statements and one connection that listens.

import { createPostgresBackend, Queue, type QueueOptions, Worker, type WorkerOptions } from 'bullmq';
import {
  type Answerer,
  type AnswererOptions,
  type Processor,
  type Producer,
  patient,
  queueOptions,
} from './connection.ts';
import type { PostgresQueueConfig } from './doorbells.ts';
import type { Message } from './message.ts';
import { queueName, schemaOf } from './queue-name.ts';

/** The ringing side. */
export function postgresProducer(config: PostgresQueueConfig, timeoutMs: number): Producer {
  const connection = connectionOptions(config, 3, timeoutMs);
  const queue = new Queue<Message>(
    queueName(config),
    { ...queueOptions, connection } as unknown as QueueOptions,
    createPostgresBackend as never,
  );
  return {
    queue,
    // Measured on two cores, jobs/s one by one and in bulk: 1 job 2,100 and 340 (bulk makes temporary tables); 4 jobs
    // 3,900 and 1,300; 16 jobs 4,000 and 4,500; 64 jobs 3,000 and 9,100.
    mostSingleAdds: 12,
    unreachable: () => undefined,
    reconnect: () => {},
    close: () => queue.close(),
  };
}

/** The answering side. */
export function postgresAnswerer(
  config: PostgresQueueConfig,
  processor: Processor,
  options: AnswererOptions,
): Answerer {
  const connection = connectionOptions(config, Math.min((options.concurrency ?? 1) + 1, 10), 5_000);
  const worker = new Worker<Message, void>(
    queueName(config),
    processor,
    { ...options, connection } as unknown as WorkerOptions,
    patient(createPostgresBackend as never),
  );
  return { worker, abandon: () => worker.disconnect() };
}

function connectionOptions(config: PostgresQueueConfig, max: number, timeoutMs: number) {
  const url = new URL(config.url);
  const asked = url.searchParams.get('options');
  url.searchParams.delete('options'); // in the URL they would replace the search path that BullMQ sets
  return {
    connectionString: url.toString(),
    // Commits of the queue do not wait for the disk: a doorbell may be lost. (Unlogged tables bring no more than that.)
    options: [asked, '-c synchronous_commit=off'].filter(Boolean).join(' '),
    schema: schemaOf(config),
    max,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    // A new connection plans and compiles BullMQ's functions again, which is ten times the cost of a ring.
    idleTimeoutMillis: 0,
    keepAlive: true,
  };
}

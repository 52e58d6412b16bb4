// What both backends provide, and what both change about BullMQ.

import type { createRedisBackend, Queue, Worker, WorkerOptions } from 'bullmq';
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

/** A BullMQ worker and a way to be rid of it whatever state its server is in. */
export interface Answerer {
  readonly worker: Worker<Message, void>;
  /** Drops the connections without asking the server; nothing keeps the process alive after it. */
  abandon(): Promise<void>;
}

/** What a BullMQ processor looks like here. */
export type Processor = ConstructorParameters<typeof Worker<Message, void>>[1];

/** BullMQ's worker options without the connection. */
export type AnswererOptions = Omit<WorkerOptions, 'connection' | 'prefix'>;

type BackendFactory = typeof createRedisBackend;

/**
 * Two changes to a worker's backend. A claim that fails waits 200 ms before the worker hears of it: BullMQ pauses only
 * for a refused connection and would otherwise ask thousands of times a second while a server starts up or is read-only.
 * And no wait for a job lasts longer than 10 s: after an error BullMQ's PostgreSQL backend may sleep for an hour.
 */
export function patient(factory: BackendFactory): BackendFactory {
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

/** BullMQ keeps a stream of events nobody here reads; it is kept short. */
export const queueOptions = { streams: { events: { maxLen: 100 } } };

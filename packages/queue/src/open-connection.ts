import type { Answerer, AnswererOptions, Processor, Producer } from './connection.ts';
import type { QueueConfig } from './doorbells.ts';
import { postgresAnswerer, postgresProducer } from './postgres-backend.ts';
import { redisAnswerer, redisProducer } from './redis-backend.ts';

/** Opens the ringing side. Does not wait for the server. */
export function openProducer(config: QueueConfig, timeoutMs: number): Producer {
  return config.backend === 'redis' ? redisProducer(config, timeoutMs) : postgresProducer(config, timeoutMs);
}

/** Opens the answering side; it starts fetching at once. */
export function openAnswerer(config: QueueConfig, processor: Processor, options: AnswererOptions): Answerer {
  return config.backend === 'redis'
    ? redisAnswerer(config, processor, options)
    : postgresAnswerer(config, processor, options);
}

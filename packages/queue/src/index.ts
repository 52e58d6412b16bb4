// Doorbells: the only package that sees BullMQ.
export { consume } from './consume.ts';
export type {
  ConsumeOptions,
  Doorbell,
  DoorbellConsumer,
  DoorbellQueue,
  PostgresQueueConfig,
  QueueConfig,
  QueueDepth,
  RedisQueueConfig,
  RingOptions,
  RungBell,
} from './doorbells.ts';
export {
  NewerMessageError,
  QueueClosedError,
  QueueConfigError,
  QueueError,
  QueueNotPreparedError,
  QueueUnavailableError,
  UnreadableMessageError,
} from './errors.ts';
export { openQueue } from './open-queue.ts';
export { prepareQueue } from './prepare-queue.ts';

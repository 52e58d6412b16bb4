import type { QueueConfig, RedisQueueConfig } from './doorbells.ts';
import { QueueConfigError } from './errors.ts';

/** Default schema of the queue's tables on PostgreSQL. */
const defaultSchema = 'pawl_queue';

/** The name BullMQ knows a pool's queue by. BullMQ refuses colons. */
export function queueName(config: QueueConfig): string {
  return `doorbells-${poolOf(config)}`;
}

/** Braces make the pool the hash tag: all keys of one pool live on one node of a cluster, pools spread. */
export function redisPrefix(config: RedisQueueConfig): string {
  return `{${checked('prefix', config.prefix ?? 'pawl')}.${poolOf(config)}}`;
}

/** The schema of a PostgreSQL queue, checked; it ends up in statements. */
export function schemaOf(config: QueueConfig): string {
  const schema = (config.backend === 'postgres' ? config.schema : undefined) ?? defaultSchema;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new QueueConfigError('schema', schema, 'a lower-case identifier of at most 63 characters');
  }
  return schema;
}

/** The pool of a configuration, checked. @throws {QueueConfigError} */
export function poolOf(config: QueueConfig): string {
  return checked('pool', config.pool ?? 'default');
}

function checked(setting: string, name: string): string {
  if (/^[A-Za-z0-9_.-]{1,100}$/.test(name)) return name;
  throw new QueueConfigError(setting, name, '1 to 100 letters, digits, "_", "-" or "."');
}

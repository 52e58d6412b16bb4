import type { QueueConfig } from './doorbells.ts';
import { QueueError, QueueNotPreparedError, QueueUnavailableError } from './errors.ts';
import { schemaOf } from './queue-name.ts';

// PostgreSQL: undefined table, undefined function, invalid schema name.
const notPreparedCodes = ['42P01', '42883', '3F000'];

/** Turns what BullMQ or a driver threw into an error of this package; errors of this package pass through. */
export function explainFailure(config: QueueConfig, error: unknown): QueueError {
  if (error instanceof QueueError) return error;
  const { name, message, code } = error as Error & { code?: string };
  // BullMQ: SchemaMigrationRequiredError, SchemaVersionMismatchError.
  if (config.backend === 'postgres' && (name.startsWith('Schema') || notPreparedCodes.includes(code ?? ''))) {
    return new QueueNotPreparedError(schemaOf(config), message, error);
  }
  return new QueueUnavailableError(config.backend, message || code || name, error);
}

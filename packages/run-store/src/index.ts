export * from './errors.ts';
export * from './ids.ts';
export * from './migrations/migrate.ts';
export * from './partitions/drop-partitions.ts';
export { ensurePartitions } from './partitions/ensure-partitions.ts';
export * from './store-types.ts';

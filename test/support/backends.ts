import { inject } from 'vitest';
// For the typed keys of `inject`.
import type {} from './provided.ts';

/** Queue backends that this machine can test. */
export const backends = (['postgres', 'redis'] as const).filter(
  (queue) => queue === 'postgres' || inject('redisUrl') !== undefined,
);

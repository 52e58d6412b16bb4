export type * from './access/access-store.ts';
export { createHttp } from './create-http.ts';
export type * from './engine-store.ts';
export type * from './live-bus.ts';
export { createHttpMetrics } from './metrics.ts';
export type { HttpLimits, HttpOptions } from './options.ts';
export type * from './schedule-store.ts';
export type * from './webhook-store.ts';

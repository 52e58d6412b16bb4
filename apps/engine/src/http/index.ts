export { createHttp } from './create-http.ts';
export type * from './engine-store.ts';
export type * from './live-bus.ts';
export { createHttpMetrics, type HttpMetrics } from './metrics.ts';
export type { AuthMode, HttpLimits, HttpOptions } from './options.ts';

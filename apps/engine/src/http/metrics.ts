import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the HTTP server counts. Labels are operation ids, never addresses: their number is bounded. */
export interface HttpMetrics {
  readonly registry: Registry;
  /** By operation, method and status. */
  readonly requests: Counter<'operation' | 'method' | 'status'>;
  /** Seconds from the request to the end of the reply, by operation; streams are left out. */
  readonly seconds: Histogram<'operation'>;
  /** Event streams open now. */
  readonly streams: Gauge;
  /** Accepted starts, by `started` and `duplicate`. */
  readonly starts: Counter<'result'>;
}

/** Makes the metrics of the server on a registry, which may hold those of other parts too. */
export function createHttpMetrics(registry: Registry = new Registry()): HttpMetrics {
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'pawl_http_requests_total',
      help: 'HTTP requests answered',
      labelNames: ['operation', 'method', 'status'],
      registers,
    }),
    seconds: new Histogram({
      name: 'pawl_http_request_seconds',
      help: 'Seconds from the request to the end of the reply',
      labelNames: ['operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    streams: new Gauge({ name: 'pawl_http_event_streams', help: 'Event streams open', registers }),
    starts: new Counter({
      name: 'pawl_run_starts_total',
      help: 'Accepted starts of runs',
      labelNames: ['result'],
      registers,
    }),
  };
}

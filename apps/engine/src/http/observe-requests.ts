import type { FastifyInstance } from 'fastify';
import type { HttpMetrics } from './metrics.ts';

/** Counts and logs every reply: the operation and who asked, never addresses with their queries, bodies or headers (V13). */
export function observeRequests(app: FastifyInstance, { requests, seconds }: HttpMetrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config.operation ?? 'none';
    const status = reply.statusCode;
    requests.inc({ operation, method: request.method, status });
    const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream');
    if (!isStream) seconds.observe({ operation }, reply.elapsedTime / 1_000);
    const level = status >= 500 ? 'warn' : 'debug';
    request.log[level](
      { operation, status, ms: Math.round(reply.elapsedTime * 10) / 10, by: request.principal?.by },
      'request answered',
    );
  });
}

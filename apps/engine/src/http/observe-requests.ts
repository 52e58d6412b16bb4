import type { FastifyInstance, FastifyRequest } from 'fastify';
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
      {
        operation,
        status,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        by: request.principal?.by,
        ...aboutRun(request),
      },
      'request answered',
    );
  });
}

/** The run and the node run that a request is about, and the trace it belongs to: what lines about one run are found by. */
export function aboutRun(request: FastifyRequest): Record<string, string> {
  const { runId = request.runId } = (request.params ?? {}) as { runId?: string };
  const { path } = (request.query ?? {}) as { path?: string };
  const traceId = request.watched?.traceId;
  return {
    ...(runId !== undefined && { runId }),
    ...(runId !== undefined && typeof path === 'string' && { path }),
    ...(traceId !== undefined && { trace_id: traceId }),
  };
}

import type { TraceContext } from '@pawl/dag-core';
import { readTraceContext, type Tracing, type WatchedRequest, watchRequest } from '@pawl/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Nobody follows these, and they are asked all the time. */
const NOT_TRACED: ReadonlySet<string> = new Set(['getHealth', 'getReadiness', 'getMetrics']);

/**
 * Gives every request the trace context that what it starts belongs to: with traces the one of its own span, without them the one
 * it came with, handed on as it is.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing | undefined): void {
  app.decorateRequest('trace', undefined);
  app.decorateRequest('watched', undefined);
  app.addHook('onRequest', async (request) => {
    const { url: route, config } = request.routeOptions;
    const { operation } = config;
    const given = readTraceContext(request.headers);
    request.trace = given;
    if (!tracing || operation === undefined || NOT_TRACED.has(operation)) return;
    request.watched = watchRequest(tracing, {
      method: request.method,
      route: route ?? '',
      path: pathOf(request),
      operation,
      requestId: request.id,
      parent: given,
    });
    request.trace = request.watched.trace;
  });
  // A stream is answered when it begins: how long somebody watches is no duration of ours.
  app.addHook('onSend', async (request, reply) => {
    const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream');
    if (isStream) request.watched?.answered(reply.statusCode);
  });
  app.addHook('onResponse', async (request, reply) => request.watched?.answered(reply.statusCode));
}

/** The address without its query; of one that is itself a proof (a callback's) only which kind it is (V13). */
function pathOf({ url, params, routeOptions }: FastifyRequest): string {
  const isProof = (params as { readonly token?: string }).token !== undefined;
  return isProof ? (routeOptions.url ?? '') : url.split('?')[0]!;
}

/** Says which run a request is about, for its span and its log line. */
export function nameRun(request: FastifyRequest, runId: string): void {
  request.runId = runId;
  request.watched?.about({ 'pawl.run.id': runId });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What is started by this request hangs below it. */
    trace: TraceContext | undefined;
    watched: WatchedRequest | undefined;
    /** The run it started or is about. */
    runId: string | undefined;
  }
}

import { randomUUID } from 'node:crypto';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { createAuthenticate } from './access/authenticate.ts';
import { GuessGuard } from './access/guess-guard.ts';
import { noteRefusedAccess } from './access/refused-access.ts';
import { bindRoutes } from './bind-routes.ts';
import { asksForPage, sendPage, serveDesigner } from './designer-pages.ts';
import { createFindHook, decorateForHooks, noteRefusals } from './hooks.ts';
import { problems } from './http-problem.ts';
import { observeRequests } from './observe-requests.ts';
import { OpenStreams } from './open-streams.ts';
import { DEFAULT_LIMITS, type HttpOptions } from './options.ts';
import { replyProblem } from './problem-reply.ts';
import { takeBodiesAsText } from './read-body.ts';
import { limitBodyTime } from './read-bytes.ts';
import { allHandlers, ownParsers } from './routes/index.ts';
import { traceRequests } from './trace-requests.ts';
import { unknownAddress } from './unknown-address.ts';
import { watchUnusedSockets } from './unused-sockets.ts';

/**
 * The HTTP server of the engine, not listening yet. `close()` refuses new requests (503), ends event streams so that clients
 * resume elsewhere, lets running requests end and then resolves.
 *
 * @example const app = createHttp(options); await app.listen({ host: '127.0.0.1', port: 0 });
 */
export function createHttp(options: HttpOptions): FastifyInstance {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const authenticate = createAuthenticate({
    ...options.auth,
    store: options.store,
    keyCacheMs: limits.keyCacheMs,
    ...(options.now && { now: options.now }),
  });
  const guesses = new GuessGuard(options.now);
  const context = { ...options, limits, streams: new OpenStreams(), authenticate, guesses };
  const app: FastifyInstance = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: limits.bodyBytes,
    // Of the whole request, also of an upload that takes its time; see limitBodyTime.
    requestTimeout: 0,
    ...(options.trustProxy !== undefined && { trustProxy: options.trustProxy }),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    genReqId: ({ headers }) => givenRequestId(headers['x-request-id']) ?? randomUUID(),
    // The longest is the token of a callback, which holds the path of a node run.
    routerOptions: { maxParamLength: 8_000 },
    frameworkErrors: (error, request, reply) => replyProblem(error, request, reply, limits.bodyBytes),
  });
  const cutUnusedSockets = watchUnusedSockets(app.server);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    // A reply that began before and ends after this would leave its socket open for another minute.
    app.server.keepAliveTimeout = 1;
    cutUnusedSockets();
    context.streams.endAll();
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    if (isClosing) throw problems.shuttingDown();
  });
  observeRequests(app, options.metrics);
  traceRequests(app, options.tracing);
  decorateForHooks(app);
  takeBodiesAsText(app);
  limitBodyTime(app, limits.bodyMs);
  noteRefusals(app, options.store, limits.bodyBytes);
  noteRefusedAccess(app);
  app.setErrorHandler((error, request, reply) => replyProblem(error, request, reply, limits.bodyBytes));
  if (options.designerFolder !== undefined) serveDesigner(app, options.designerFolder);
  app.setNotFoundHandler((request, reply) => {
    if (options.designerFolder !== undefined && asksForPage(request)) return sendPage(reply);
    throw unknownAddress(request.method, request.url);
  });
  bindRoutes(app, allHandlers(context), ownParsers(context), limits, {
    authenticate,
    findHook: createFindHook(options.store),
  });
  return app;
}

/** A caller's own id is kept when it is harmless in a log. */
const givenRequestId = (given: string | string[] | undefined): string | undefined =>
  typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : undefined;

import {
  type Bytes,
  isBytes,
  type Reply,
  type RouteName,
  type RouteSpec,
  type Routes,
  roleOf,
  routes,
} from '@pawl/api';
import type { Hook } from '@pawl/run-store';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Authenticate, Principal } from './access/authenticate.ts';
import { demandRole } from './access/refused-access.ts';
import { type ParseBody, refuseBigIntegers } from './read-body.ts';
import { type BytesLimits, takeBodiesAsBytes } from './read-bytes.ts';
import { readParts } from './read-parts.ts';

type Part<R, K extends string> = R extends { [P in K]: infer S extends z.ZodType } ? z.output<S> : undefined;

/** What a route's handler gets: parsed values and who asks. */
export interface Call<R extends RouteSpec> extends Principal {
  readonly params: Part<R, 'params'>;
  readonly query: Part<R, 'query'>;
  readonly headers: Part<R, 'headers'>;
  readonly body: R extends { body: Bytes }
    ? AsyncIterable<Uint8Array>
    : R extends { bodyOptional: true }
      ? Part<R, 'body'> | undefined
      : Part<R, 'body'>;
  readonly request: FastifyRequest;
}

type BodyOf<T> = T extends Reply<infer S> ? (S extends z.ZodType ? z.output<S> : never) : never;

/** A body that is sent as it is: a stream or a text. A class, so that no document can pass for one. */
export class Raw {
  readonly content: NodeJS.ReadableStream | string;
  constructor(content: NodeJS.ReadableStream | string) {
    this.content = content;
  }
}

/** What a handler answers: one of the declared statuses with its body, and headers where it has any. */
type Answer<R extends RouteSpec> = {
  [S in keyof R['replies'] & number]: {
    readonly status: S;
    readonly body: BodyOf<R['replies'][S]> | Raw;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof R['replies'] & number];

type Handler<N extends RouteName> = (call: Call<Routes[N]>) => Promise<Answer<Routes[N]>>;
/** One handler per route; a forgotten one does not compile. */
export type Handlers = { readonly [N in RouteName]: Handler<N> };
/** Routes whose bodies are parsed in a way of their own. */
export type Parsers = {
  readonly [N in RouteName]?: (principal: Principal, request: FastifyRequest) => ParseBody;
};

/** Puts every route of the contract on the server: who asks, then the parts, then one call of the handler. */
export function bindRoutes(
  app: FastifyInstance,
  handlers: Handlers,
  parsers: Parsers,
  limits: BytesLimits,
  who: {
    readonly authenticate: Authenticate;
    readonly findHook: (request: FastifyRequest) => Promise<Hook>;
  },
): void {
  app.decorateRequest('principal', null);
  for (const name of Object.keys(routes) as RouteName[]) {
    const route: RouteSpec = routes[name];
    const role = roleOf(route);
    const handle = handlers[name] as (call: Call<RouteSpec>) => Promise<Answer<RouteSpec>>;
    const put = (on: FastifyInstance) =>
      on.route({
        method: route.method,
        url: route.path,
        config: {
          operation: name,
          takesBytes: isBytes(route.body),
          keepsBytes: route.auth === 'signature',
        },
        ...(role && {
          onRequest: async (request: FastifyRequest) => {
            request.principal = await who.authenticate(request);
            demandRole(request.principal, role);
          },
        }),
        ...(route.auth === 'signature' && {
          onRequest: async (request: FastifyRequest) => {
            request.hook = await who.findHook(request);
          },
        }),
        handler: async (request, reply) => {
          const principal = request.principal ?? NOBODY;
          const parts = await readParts(
            route,
            request,
            parsers[name]?.(principal, request) ?? refuseBigIntegers,
          );
          return sendAnswer(reply, await handle({ ...parts, ...principal, request } as Call<RouteSpec>));
        },
      });
    // In a scope of their own, because what bodies are parsed with is a matter of scopes.
    if (isBytes(route.body)) {
      app.register(async (scope) => {
        takeBodiesAsBytes(scope, limits);
        put(scope);
      });
    } else put(app);
  }
}

/** Open routes act for nobody; no workspace has this id. */
const NOBODY: Principal = {
  workspaceId: '',
  by: 'nobody',
  name: 'nobody',
  role: 'viewer',
  proof: { kind: 'local' },
};

function sendAnswer(reply: FastifyReply, answer: Answer<RouteSpec>): FastifyReply {
  reply.code(answer.status);
  if (answer.headers) reply.headers(answer.headers);
  const body: unknown = answer.body;
  return reply.send(body instanceof Raw ? body.content : body);
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
  interface FastifyContextConfig {
    operation?: string;
    takesBytes?: boolean;
  }
}

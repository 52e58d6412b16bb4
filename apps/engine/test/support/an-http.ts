import { errorsOf, PROBLEMS, Problem, type RouteSpec, routes } from '@pawl/api';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { expect } from 'vitest';
import { createHttp, createHttpMetrics, type HttpOptions } from '../../src/http/index.ts';
import { HOME, MemoryStore } from './memory-store.ts';

/** A request of a test. `body` is sent as JSON, `text` as it is. */
interface Ask {
  readonly body?: unknown;
  readonly text?: string | Buffer;
  readonly headers?: Record<string, string>;
  /** Address of the peer; default the machine itself. */
  readonly from?: string;
}
export interface TestHttp {
  readonly app: FastifyInstance;
  readonly store: MemoryStore;
  /** Lines that were logged, as objects. */
  readonly logged: Record<string, unknown>[];
  /** Sends a request and checks the reply against the contract: a declared status, a fitting body, a listed problem. */
  ask(line: string, ask?: Ask): Promise<LightMyRequestResponse>;
}

/** A server on a store in memory, not listening. */
export function anHttp(options: Partial<HttpOptions> = {}): TestHttp {
  const store = new MemoryStore();
  const logged: Record<string, unknown>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const app = createHttp({
    store,
    live: store.bus,
    metrics: createHttpMetrics(),
    logger,
    auth: { mode: 'loopback-open', defaultWorkspaceId: HOME },
    tools: async () => [{ name: 'files.read', version: '1', effect: 'pure', input: { type: 'object' } }],
    models: async () => [{ id: 'sim:writer', provider: 'sim', simulated: true }],
    keeping: { runDays: 30, uploadBytes: 1, queueLimit: 2, workspaceLimit: 3 },
    flowSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
    validateFlow: async (document) => ({ issues: store.flows.issuesOf(document) }),
    version: '0.1.0',
    ...options,
  });
  const ask = async (line: string, { body, text, headers, from }: Ask = {}) => {
    const [method, url] = line.split(' ') as ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string];
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const type = payload === undefined ? {} : { 'content-type': 'application/json' };
    const reply = await app.inject({
      method,
      url,
      remoteAddress: from ?? '127.0.0.1',
      headers: { host: 'localhost:7430', ...type, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    demandContract(method, url, reply);
    return reply;
  };
  return { app, store, logged, ask };
}

function demandContract(method: string, url: string, reply: LightMyRequestResponse): void {
  const route = routeOf(method, url.split('?')[0]!);
  const declared = route?.replies[reply.statusCode];
  expect(reply.headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);
  if (declared?.schema && String(reply.headers['content-type']).startsWith('application/json')) {
    expect(declared.schema.parse(reply.json()), 'nothing that the contract does not know').toEqual(
      reply.json(),
    );
  } else if (!declared) demandProblem(route, reply);
}

function demandProblem(route: RouteSpec | undefined, reply: LightMyRequestResponse): void {
  expect(reply.headers['content-type']).toBe('application/problem+json');
  const problem = Problem.parse(reply.json());
  expect(problem).toMatchObject({
    type: `urn:pawl:problem:${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: PROBLEMS[problem.code].status,
    requestId: reply.headers['x-request-id'],
  });
  expect(reply.statusCode).toBe(problem.status);
  if (route) expect(errorsOf(route)).toContain(problem.code);
  expect(reply.body).not.toMatch(/ at \S+ \(|node_modules|\.ts:\d+/);
}

function routeOf(method: string, path: string): RouteSpec | undefined {
  const fits = (route: RouteSpec) => new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
  // A fixed address before one with parameters, as the router does.
  const all = (Object.values(routes) as RouteSpec[]).filter(
    (route) => route.method === method && fits(route),
  );
  return all.sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))[0];
}

/** A small valid flow document. */
export const aFlow = (name = 'greet', more: Record<string, unknown> = {}) => ({
  format: 'pawl/1',
  name,
  nodes: [{ id: 'hello', kind: 'transform', value: '{{ input }}' }],
  edges: [],
  ...more,
});

/** Publishes a flow and starts a run of it; gives the run's id. */
export async function aRun(http: TestHttp, headers: Record<string, string> = {}): Promise<string> {
  await http.ask('POST /v1/flows/greet/publish', { body: aFlow(), headers });
  const reply = await http.ask('POST /v1/runs', { body: { flow: 'greet', input: { name: 'Ada' } }, headers });
  expect(reply.statusCode).toBe(201);
  return reply.json().runId as string;
}

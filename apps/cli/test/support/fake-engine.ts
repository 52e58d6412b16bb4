import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  isBytes,
  PROBLEMS,
  type ProblemCode,
  problemType,
  type RouteName,
  type RouteSpec,
  routes,
  STREAM_EVENTS,
} from '@pawl/api';
import type { RecordedEvent } from '@pawl/dag-core';

/** One request as the contract reads it. */
interface Call {
  readonly name: RouteName;
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  /** Sent instead of a body: bytes with these headers. */
  readonly bytes?: { readonly content: Buffer; readonly headers: Record<string, string> };
  /** For `readEvents`: sent as a stream, closed with the end mark when the run ended. */
  readonly stream?: { readonly events: readonly RecordedEvent[]; readonly ended: boolean };
}
export type Handlers = { readonly [N in RouteName]?: (call: Call) => Answer | Promise<Answer> };

export interface FakeEngine {
  readonly url: string;
  readonly calls: readonly Call[];
  /** Breaches of the contract, by either side. A test expects none. */
  readonly breaches: readonly string[];
  close(): Promise<void>;
}

/** A refusal of the catalogue. */
export const problem = (code: ProblemCode, detail: string, more: object = {}): Answer => ({
  status: PROBLEMS[code].status,
  body: {
    type: problemType(code),
    title: PROBLEMS[code].title,
    status: PROBLEMS[code].status,
    code,
    detail,
    requestId: 'r-1',
    ...more,
  },
});

/** An HTTP server in this process that speaks the contract: requests and replies are checked with its schemas. */
export async function startFakeEngine(handlers: Handlers, port = 0): Promise<FakeEngine> {
  const calls: Call[] = [];
  const breaches: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      breaches.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    breaches,
    close: () => closeServer(server),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://x');
    const found = findRoute(request.method ?? '', url.pathname);
    if (!found) throw new Error(`no route ${request.method} ${url.pathname}`);
    const { name, params } = found;
    const route: RouteSpec = routes[name];
    const bytes = await readBytes(request);
    const body = isBytes(route.body) ? bytes : jsonOf(bytes);
    const call: Call = { name, params, query: readQuery(url), headers: request.headers, body };
    if (route.params) route.params.parse(params);
    if (route.query) route.query.parse(call.query);
    if (route.body && !isBytes(route.body) && !(body === undefined && route.bodyOptional))
      route.body.parse(body);
    calls.push(call);
    const given = await (handlers[name]?.(call) ??
      problem('internal_error', `The test has no handler for ${name}.`));
    if (given.stream) return sendStream(response, given.stream);
    if (given.bytes) {
      response.writeHead(given.status ?? 200, given.bytes.headers).end(given.bytes.content);
      return;
    }
    const status = given.status ?? Number(Object.keys(route.replies)[0]);
    const reply = route.replies[status];
    if (reply?.schema) reply.schema.parse(given.body);
    const type = reply ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(given.body));
  }
}

function findRoute(
  method: string,
  path: string,
): { name: RouteName; params: Record<string, string> } | undefined {
  // Fixed addresses before those with parameters: `/v1/flows/validate` is no flow.
  const names = (Object.keys(routes) as RouteName[]).sort(
    (a, b) => routes[a].path.split(':').length - routes[b].path.split(':').length,
  );
  for (const name of names) {
    const pattern = new RegExp(`^${routes[name].path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    const match = routes[name].method === method ? pattern.exec(path) : null;
    if (!match) continue;
    const params = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return { name, params: Object.fromEntries(params) };
  }
  return undefined;
}

function readQuery(url: URL): Record<string, unknown> {
  const names = [...new Set(url.searchParams.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const all = url.searchParams.getAll(name);
      return [name, all.length > 1 ? all : all[0]];
    }),
  );
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const jsonOf = (bytes: Buffer): unknown =>
  bytes.length === 0 ? undefined : JSON.parse(bytes.toString('utf8'));

function sendStream(response: ServerResponse, { events, ended }: NonNullable<Answer['stream']>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    response.write(`id: ${event.seq}\nevent: ${STREAM_EVENTS.journal}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  if (ended) response.end(`event: ${STREAM_EVENTS.end}\ndata: {}\n\n`);
  else response.flushHeaders();
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

import { type Issue, isBytes, type RouteSpec } from '@pawl/api';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type HttpProblem, problems } from './http-problem.ts';
import { jsonOf, type ParseBody } from './read-body.ts';

/** The parsed parts of a request; each is undefined where the route has no schema for it. */
export interface Parts {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

/** Reads a request by its route's schemas, in the order a caller would correct it: address, query, headers, body. */
export async function readParts(route: RouteSpec, request: FastifyRequest, parse: ParseBody): Promise<Parts> {
  const params = route.params && readParams(route.params, request.params as Record<string, string>);
  const query = readQuery(route.query, request.query as Record<string, unknown>);
  const headers = route.headers && readHeaders(route.headers, request.headers);
  const body = isBytes(route.body)
    ? (request.body ?? NOTHING)
    : route.body && (await readBody(route, route.body, request, parse));
  return { params, query, headers, body };
}

/** The bytes of a request without a body. */
const NOTHING: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

/** What a parameter names. One that has not even the right form names nothing: 404, like an unknown one. */
const NAMED_BY = {
  flow: { code: 'flow_not_found', word: 'flow', where: 'GET /v1/flows' },
  versionId: { code: 'version_not_found', word: 'version', where: 'GET /v1/flows/{flow}/versions' },
  runId: { code: 'run_not_found', word: 'run', where: 'GET /v1/runs' },
  schedule: { code: 'schedule_not_found', word: 'schedule', where: 'GET /v1/schedules' },
  question: { code: 'question_not_found', word: 'question', where: 'GET /v1/inbox' },
  webhook: { code: 'webhook_not_found', word: 'webhook', where: 'GET /v1/webhooks' },
  webhookId: { code: 'webhook_not_found', word: 'webhook', where: 'GET /v1/webhooks' },
  seq: { code: 'effect_not_found', word: 'effect', where: 'GET /v1/effects' },
  user: { code: 'user_not_found', word: 'user', where: 'GET /v1/users' },
  keyId: { code: 'key_not_found', word: 'key', where: 'GET /v1/keys' },
  event: { code: 'value_not_found', word: 'event', where: 'GET /v1/runs/{runId}/events' },
  name: { code: 'value_not_found', word: 'value', where: 'GET /v1/runs/{runId}/events' },
  artifactId: { code: 'artifact_not_found', word: 'artifact', where: 'GET /v1/runs/{runId}/artifacts' },
} as const;

/** The 404 for what an address parameter names; the same for a foreign, an unknown and an impossible id. */
export function notFoundBy(param: keyof typeof NAMED_BY, value: string): HttpProblem {
  const { code, word, where } = NAMED_BY[param];
  return problems.notFound(code, `${word} ${value.slice(0, 100)}`, where);
}

function readParams(schema: z.ZodObject, given: Record<string, string>): unknown {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const param = String(parsed.error.issues[0]?.path[0]) as keyof typeof NAMED_BY;
  throw notFoundBy(param, given[param] ?? '');
}

function readQuery(schema: z.ZodObject | undefined, given: Record<string, unknown>): unknown {
  if (!schema) {
    const [unknown] = Object.keys(given);
    if (unknown === undefined) return undefined;
    throw problems.queryInvalid([
      { pointer: `/${escaped(unknown)}`, code: 'unrecognized_keys', message: 'Expected no parameters here' },
    ]);
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw problems.queryInvalid(issuesOf(parsed.error));
}

function readHeaders(schema: z.ZodObject, given: Record<string, unknown>): unknown {
  const own = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, given[name]]));
  const parsed = schema.safeParse(own);
  if (parsed.success) return parsed.data;
  throw problems.headerInvalid(issuesOf(parsed.error));
}

async function readBody(route: RouteSpec, schema: z.ZodType, request: FastifyRequest, parse: ParseBody) {
  const text = request.body as string | undefined;
  if (text === undefined || text === '') {
    if (route.bodyOptional) return undefined;
    throw problems.bodyMalformed('it is empty');
  }
  const parsed = schema.safeParse(jsonOf(await parse(text)));
  if (parsed.success) return parsed.data;
  throw problems.bodyInvalid(issuesOf(parsed.error));
}

/** Issues of a schema in the form of the API, with JSON pointers. */
function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    const keys =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return keys.map((path) => ({
      pointer: path.map((part) => `/${escaped(String(part))}`).join(''),
      code: issue.code,
      message: issue.message,
    }));
  });
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

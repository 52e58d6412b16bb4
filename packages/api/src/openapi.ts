import { z } from 'zod';
import { PROBLEMS } from './problems.ts';
import { routes } from './routes/index.ts';
import { errorsOf, isBytes, type RouteSpec, roleOf } from './routes/route.ts';
import { namedSchemas } from './schemas/index.ts';
import { SESSION_COOKIE } from './session-cookie.ts';

type Members = Record<string, unknown>;
const refTo = (id: string) => `#/components/schemas/${id}`;

/** The OpenAPI 3.1 document of the route table. `version` is that of the release. */
export function openApiDocument(version: string): Members {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pawl API',
      version,
      summary: 'Flows, runs and their journals',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: paths(),
    components: {
      schemas: components(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, pawl_…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description: 'A session of a browser, from POST /v1/session',
        },
      },
    },
  };
}

function paths(): Members {
  const all: Record<string, Members> = {};
  for (const [operationId, route] of Object.entries(routes) as [string, RouteSpec][]) {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
    all[path] = { ...all[path], [route.method.toLowerCase()]: operation(operationId, route) };
  }
  return all;
}

function operation(operationId: string, route: RouteSpec): Members {
  const body = route.body && {
    required: !route.bodyOptional,
    ...(isBytes(route.body)
      ? { description: route.body.description, content: { '*/*': {} } }
      : { content: { 'application/json': { schema: schemaRef(route.body) } } }),
  };
  return {
    operationId,
    summary: route.summary,
    tags: [route.tag],
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...parameters('header', route.headers),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: { ...replies(route), ...problems(route) },
    security: security(route),
  };
}

/** Either way; the list in each holds the least role that may (OpenAPI 3.1, Security Requirement Object). */
function security(route: RouteSpec): Members[] {
  const role = roleOf(route);
  return role ? [{ apiKey: [role] }, { session: [role] }] : [];
}

function parameters(where: 'path' | 'query' | 'header', schema: z.ZodObject | undefined): Members[] {
  if (!schema) return [];
  const whole = z.toJSONSchema(schema, { io: 'output' });
  return Object.entries(whole.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as Members;
    const required = where === 'path' || (whole.required ?? []).includes(name);
    return { name, in: where, required, schema: rest, ...(description ? { description } : {}) };
  });
}

function replies(route: RouteSpec): Members {
  const entries = Object.entries(route.replies).map(([status, reply]) => {
    const content = reply.mediaTypes.map((type) => {
      const schema =
        type === 'application/json' && reply.schema ? schemaRef(reply.schema) : { type: 'string' };
      return [type, reply.schema || type.startsWith('text/') ? { schema } : {}];
    });
    return [status, { description: reply.description, content: Object.fromEntries(content) }];
  });
  return Object.fromEntries(entries);
}

/** One response per status; a status that is also a declared reply (503 of readiness) keeps that. */
function problems(route: RouteSpec): Members {
  const byStatus = new Map<number, string[]>();
  for (const code of errorsOf(route)) {
    const { status } = PROBLEMS[code];
    if (!route.replies[status]) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content = { 'application/problem+json': { schema: { $ref: refTo('Problem') } } };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, { description: codes.join(', '), content }]),
  );
}

function schemaRef(schema: z.ZodType): Members {
  const entry = namedSchemas.get(schema);
  return entry ? { $ref: refTo(entry.id) } : withoutKeys(z.toJSONSchema(schema, { io: 'input' }));
}

function components(): Members {
  const { schemas } = z.toJSONSchema(namedSchemas, { uri: refTo, io: 'input' });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutKeys(schema)]));
}

const withoutKeys = ({ $schema: _dialect, $id: _id, ...rest }: Members): Members => rest;

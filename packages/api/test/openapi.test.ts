// Catches: an OpenAPI document that tools refuse, or that knows other routes than the server does.
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { errorsOf, openApiDocument, PROBLEMS, type RouteSpec, roleOf, routes } from '../src/index.ts';

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean };
  responses: Record<string, { description: string; content: Record<string, object> }>;
  security: object[];
}
const document = openApiDocument('0.1.0') as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const table = Object.entries(routes) as [string, RouteSpec][];

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, with every reference resolved', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
    const known = Object.keys(document.components.schemas).map((id) => `#/components/schemas/${id}`);
    expect(refs.filter((ref) => !known.includes(ref))).toEqual([]);
  });

  it('covers exactly the route table', () => {
    const documented = operations.map(({ path, method, operation }) => [operation.operationId, method, path]);
    const tabled = table.map(([name, route]) => [
      name,
      route.method.toLowerCase(),
      route.path.replaceAll(/:(\w+)/g, '{$1}'),
    ]);
    expect(documented.sort()).toEqual(tabled.sort());
  });

  it.each(table)('%s: names each path parameter, each status and each code', (name, route) => {
    const { operation } = operations.find((one) => one.operation.operationId === name)!;
    const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, param]) => param);
    expect(operation.parameters.filter((p) => p.in === 'path').map((p) => p.name)).toEqual(inPath);
    for (const status of Object.keys(route.replies)) expect(operation.responses).toHaveProperty(status);
    for (const code of errorsOf(route)) {
      const { status } = PROBLEMS[code];
      if (!route.replies[status]) expect(operation.responses[status]!.description).toContain(code);
    }
    const role = roleOf(route);
    expect(operation.security).toEqual(role ? [{ apiKey: [role] }, { session: [role] }] : []);
  });

  it('no two routes share method and path', () => {
    const addresses = table.map(([, route]) => `${route.method} ${route.path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('is JSON and the same each time', () => {
    expect(openApiDocument('0.1.0')).toEqual(JSON.parse(JSON.stringify(document)));
  });
});

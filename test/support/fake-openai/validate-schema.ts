type Node = { readonly [key: string]: unknown };

const ALLOWED = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'definitions',
  'description',
  'title',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  '$schema',
]);

/** What strict mode has against a schema, in the provider's words; undefined when it takes it. */
export function strictSchemaProblem(name: string, schema: unknown): string | undefined {
  const say = (path: readonly string[], what: string) =>
    `Invalid schema for response_format '${name}': In context=(${path.map((part) => `'${part}'`).join(', ')}), ${what}`;
  if ((schema as Node | undefined)?.type !== 'object') {
    return `Invalid schema for response_format '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${String((schema as Node | undefined)?.type ?? 'None')}"'.`;
  }
  return problemAt(schema, [], say);
}

function problemAt(
  node: unknown,
  path: readonly string[],
  say: (path: readonly string[], what: string) => string,
): string | undefined {
  if (typeof node !== 'object' || node === null || Array.isArray(node))
    return say(path, 'schema must be an object.');
  const schema = node as Node;
  const foreign = Object.keys(schema).find((key) => !ALLOWED.has(key));
  if (foreign !== undefined) return say(path, `'${foreign}' is not permitted.`);
  if (schema.$ref !== undefined && Object.keys(schema).length > 1)
    return say(path, '$ref cannot have keywords beside it.');
  if (schema.$ref === undefined && schema.type === undefined && schema.anyOf === undefined) {
    return say(path, "schema must have a 'type' key.");
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.includes('object')) {
    const properties = Object.keys((schema.properties ?? {}) as object);
    if (schema.additionalProperties !== false) {
      return say(path, "'additionalProperties' is required to be supplied and to be false.");
    }
    const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
    const missing = properties.find((key) => !required.includes(key));
    if (missing !== undefined) {
      return say(
        path,
        `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
      );
    }
    const extra = required.find((key) => !properties.includes(key));
    if (extra !== undefined) return say(path, `Extra required key '${extra}' supplied.`);
  }
  if (types.includes('array') && schema.items === undefined) return say(path, 'array schema missing items.');
  for (const group of ['properties', '$defs', 'definitions'] as const) {
    for (const [name, inner] of Object.entries((schema[group] ?? {}) as object)) {
      const problem = problemAt(inner, [...path, group, name], say);
      if (problem !== undefined) return problem;
    }
  }
  if (schema.items !== undefined) {
    const problem = problemAt(schema.items, [...path, 'items'], say);
    if (problem !== undefined) return problem;
  }
  for (const [index, inner] of ((schema.anyOf ?? []) as unknown[]).entries()) {
    const problem = problemAt(inner, [...path, 'anyOf', String(index)], say);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

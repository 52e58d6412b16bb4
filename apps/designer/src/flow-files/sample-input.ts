import type { Json, JsonObject, JsonSchema } from '@pawl/dag-core';

/** How deep objects are filled; deeper ones are left empty. */
const DEPTH = 6;

/** A value to begin with: what the schema names as default or example, else the simplest of its type. */
export function sampleInput(schema: JsonSchema | undefined, depth = 0): Json {
  if (typeof schema !== 'object') return {};
  const {
    default: usual,
    examples,
    const: only,
    enum: words,
    type,
    properties,
    required,
  } = schema as JsonObject;
  for (const given of [
    usual,
    only,
    (examples as Json[] | undefined)?.[0],
    (words as Json[] | undefined)?.[0],
  ])
    if (given !== undefined) return given;
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === 'string') return '';
  if (kind === 'number' || kind === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 0;
  if (kind === 'boolean') return false;
  if (kind === 'array') return [];
  if (kind === 'null') return null;
  if (depth >= DEPTH || typeof properties !== 'object' || properties === null) return {};
  const asked = new Set((required as string[] | undefined) ?? []);
  return Object.fromEntries(
    Object.entries(properties as Record<string, JsonSchema>)
      .filter(([name, each]) => asked.has(name) || (typeof each === 'object' && 'default' in each))
      .map(([name, each]) => [name, sampleInput(each, depth + 1)]),
  );
}

import type { Json, JsonObject, JsonSchema } from '@pawl/dag-core';

const TODAY = 'https://json-schema.org/draft/2020-12/schema';
/** Dialects whose schemas mean the same once what `translated` changes is changed. */
const OLDER = /^https?:\/\/json-schema\.org\/(draft-0[67]|draft\/2019-09)\/schema#?$/;

/** Members that hold values, in which nothing is a schema. */
const VALUES = ['default', 'const', 'enum', 'examples'];

/**
 * A schema of a server as JSON Schema 2020-12. Many servers still write draft 7 and say so; lists of fixed length are what the
 * two write differently.
 */
export function translateSchema(schema: JsonObject): JsonSchema {
  const { $schema, ...rest } = schema;
  if (typeof $schema !== 'string') return schema;
  if ($schema.replace(/#$/, '') === TODAY) return rest;
  return OLDER.test($schema) ? (translated(rest) as JsonObject) : schema;
}

function translated(value: Json): Json {
  if (Array.isArray(value)) return value.map(translated);
  if (typeof value !== 'object' || value === null) return value;
  const { items, additionalItems, ...others } = value as JsonObject;
  const rest = Object.entries(others).map(([name, part]) => [
    name,
    VALUES.includes(name) ? part : translated(part),
  ]);
  if (!Array.isArray(items))
    return { ...Object.fromEntries(rest), ...(items !== undefined && { items: translated(items) }) };
  return {
    ...Object.fromEntries(rest),
    prefixItems: items.map(translated),
    ...(additionalItems !== undefined && { items: translated(additionalItems) }),
  };
}

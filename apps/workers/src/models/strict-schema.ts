import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject, JsonSchema } from '@pawl/tool-sdk';

// Strict mode of OpenAI-like providers takes a part of JSON Schema: every object lists all its properties as required
// and forbids others; no oneOf, allOf, not, conditions or maps. Rules kept here (C32):
// S1 An optional property becomes required and may be null; parse-structured takes such nulls away again.
// S2 What strict mode does not know but cannot break the shape (lengths, default, title, …) is left out and told in
//    words; the engine's own validation still holds the answer to it.
// S3 A schema that cannot be said this way (maps, conditions, open objects without properties) is sent as it is,
//    without strict mode.
// S4 The root must be an object: another root is wrapped as {"value": …}; parse-structured takes that off again.

/** What is sent to the provider, and whether it may be enforced. */
export interface SentSchema {
  readonly strict: boolean;
  readonly schema: JsonObject;
}

/** Name of the property around an answer whose schema is no object (S4). */
export const WRAPPED_VALUE = 'value';

/** Compiles a schema for a provider with strict mode. */
export function sentSchemaOf(schema: JsonSchema): SentSchema {
  const root: JsonObject = typeof schema === 'boolean' ? {} : schema;
  const wrapped = isObjectRoot(root) ? root : wrap(root);
  try {
    return { strict: true, schema: strictNode(wrapped, wrapped) };
  } catch (reason) {
    if (reason instanceof NotStrict) return { strict: false, schema: wrapped };
    throw reason;
  }
}

/** True when answers of this schema are wrapped (S4). */
export function isWrapped(schema: JsonSchema): boolean {
  return typeof schema === 'boolean' || !isObjectRoot(schema);
}

class NotStrict extends Error {}

function isObjectRoot(root: JsonObject): boolean {
  if (root.anyOf !== undefined || root.oneOf !== undefined) return false;
  return root.type === 'object' || (root.type === undefined && root.properties !== undefined);
}

/** Definitions stay at the root, where references find them. */
function wrap({ $defs, definitions, $schema: _schema, $id: _id, ...root }: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: { [WRAPPED_VALUE]: root },
    required: [WRAPPED_VALUE],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

const KEPT = [
  'type',
  'enum',
  'description',
  '$ref',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
];
const KEPT_FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const TOLD: Record<string, (value: Json) => string> = {
  minLength: (value) => `at least ${String(value)} characters`,
  maxLength: (value) => `at most ${String(value)} characters`,
  uniqueItems: () => 'all different',
  format: (value) => `format ${String(value)}`,
};
const NEVER = [
  'not',
  'if',
  'then',
  'else',
  'allOf',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'prefixItems',
  'contains',
  'unevaluatedProperties',
  '$dynamicRef',
];

function strictNode(node: Json | undefined, root: JsonObject): JsonObject {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) throw new NotStrict();
  if (NEVER.some((key) => key in node)) throw new NotStrict();
  const strict: JsonObject = {};
  for (const key of KEPT) if (node[key] !== undefined) strict[key] = node[key];
  if ('const' in node) strict.enum = [node.const!];
  if (strict.enum !== undefined && strict.type === undefined) strict.type = typesOf(strict.enum as Json[]);
  const alternatives = node.anyOf ?? node.oneOf;
  if (Array.isArray(alternatives)) strict.anyOf = alternatives.map((part) => strictNode(part, root));
  if (typeof node.format === 'string' && KEPT_FORMATS.includes(node.format)) strict.format = node.format;
  if (isObject(node)) Object.assign(strict, strictProperties(node, root));
  if (node.items !== undefined) strict.items = strictNode(node.items, root);
  else if (strict.type === 'array') throw new NotStrict();
  for (const key of ['$defs', 'definitions']) {
    const defs = node[key];
    if (typeof defs === 'object' && defs !== null && !Array.isArray(defs)) {
      strict[key] = Object.fromEntries(
        Object.entries(defs).map(([name, part]) => [name, strictNode(part, root)]),
      );
    }
  }
  if (strict.type === undefined && strict.anyOf === undefined && strict.$ref === undefined)
    throw new NotStrict();
  // Beside a reference nothing else may stand.
  if (strict.$ref !== undefined) return { $ref: strict.$ref };
  return tell(node, strict);
}

function isObject(node: JsonObject): boolean {
  return (
    node.type === 'object' ||
    node.properties !== undefined ||
    (Array.isArray(node.type) && node.type.includes('object'))
  );
}

function strictProperties(node: JsonObject, root: JsonObject): JsonObject {
  const { properties, additionalProperties } = node;
  const isMap = typeof additionalProperties === 'object' || additionalProperties === true;
  if (isMap || typeof properties !== 'object' || properties === null || Array.isArray(properties))
    throw new NotStrict();
  const required = new Set((node.required as string[] | undefined) ?? []);
  if ([...required].some((name) => !Object.hasOwn(properties, name))) throw new NotStrict();
  const strict = Object.entries(properties).map(([name, property]): [string, Json] => {
    const compiled = strictNode(property, root);
    return [name, required.has(name) ? compiled : orNull(compiled)];
  });
  return {
    type: node.type ?? 'object',
    properties: Object.fromEntries(strict),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** The same schema with null allowed (S1). */
function orNull(schema: JsonObject): JsonObject {
  if (Array.isArray(schema.anyOf)) {
    const hasNull = schema.anyOf.some((part) => isDeepStrictEqual(part, { type: 'null' }));
    return hasNull ? schema : { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  }
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  const types = Array.isArray(schema.type) ? schema.type : [schema.type!];
  const nullable: JsonObject = { ...schema, type: types.includes('null') ? types : [...types, 'null'] };
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) nullable.enum = [...schema.enum, null];
  return nullable;
}

function typesOf(values: readonly Json[]): Json {
  const types = new Set(values.map(typeOfValue));
  if (types.has('object') || types.has('array')) throw new NotStrict();
  return types.size === 1 ? [...types][0]! : [...types];
}

function typeOfValue(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** Puts what was left out into the description (S2). */
function tell(node: JsonObject, strict: JsonObject): JsonObject {
  const told = Object.entries(TOLD)
    .filter(([key]) => node[key] !== undefined && strict[key] === undefined)
    .map(([key, say]) => say(node[key]!));
  if (told.length === 0) return strict;
  const description = [
    typeof strict.description === 'string' ? strict.description : '',
    `(${told.join(', ')})`,
  ];
  return { ...strict, description: description.filter((part) => part !== '').join(' ') };
}

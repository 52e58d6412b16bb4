import type { Json, JsonObject, JsonSchema } from '@pawl/tool-sdk';

/**
 * Takes away the nulls that strict mode forces a model to write for absent optional properties (C32): a null goes when
 * its property is not required and its own schema does not allow null. Nulls the flow's author asked for stay.
 */
export function dropAddedNulls(value: Json, schema: JsonSchema): Json {
  return drop(value, schema, schema, 0);
}

const DEEPEST = 200;

function drop(value: Json, node: Json | undefined, root: JsonSchema, depth: number): Json {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  let dropped: Json = value;
  for (const schema of alternativesOf(node, root, 0)) {
    dropped = Array.isArray(dropped)
      ? dropped.map((item) => drop(item, schema.items, root, depth + 1))
      : dropInObject(dropped as JsonObject, schema, root, depth);
  }
  return dropped;
}

function dropInObject(value: JsonObject, schema: JsonObject, root: JsonSchema, depth: number): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const kept = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    if (!Object.hasOwn(properties, name)) {
      return [
        [
          name,
          drop(
            inner,
            isObject(schema.additionalProperties) ? schema.additionalProperties : undefined,
            root,
            depth + 1,
          ),
        ],
      ];
    }
    const property = properties[name];
    if (inner === null) return required.includes(name) || allowsNull(property, root) ? [[name, null]] : [];
    return [[name, drop(inner, property, root, depth + 1)]];
  });
  return Object.fromEntries(kept);
}

/** The plain schemas behind references, alternatives and conjunctions. */
function alternativesOf(node: Json | undefined, root: JsonSchema, followed: number): JsonObject[] {
  if (!isObject(node) || followed > 32) return [];
  const parts = [node.anyOf, node.oneOf, node.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const target = typeof node.$ref === 'string' ? [resolve(root, node.$ref)] : [];
  return [node, ...[...target, ...parts].flatMap((part) => alternativesOf(part, root, followed + 1))];
}

function allowsNull(node: Json | undefined, root: JsonSchema, followed = 0): boolean {
  if (node === true || node === undefined) return true;
  if (!isObject(node) || followed > 32) return false;
  if (typeof node.$ref === 'string') return allowsNull(resolve(root, node.$ref), root, followed + 1);
  if ('const' in node) return node.const === null;
  if (Array.isArray(node.enum)) return node.enum.includes(null);
  if (Array.isArray(node.type)) return node.type.includes('null');
  if (typeof node.type === 'string') return node.type === 'null';
  const any = node.anyOf ?? node.oneOf;
  if (Array.isArray(any)) return any.some((part) => allowsNull(part, root, followed + 1));
  if (Array.isArray(node.allOf)) return node.allOf.every((part) => allowsNull(part, root, followed + 1));
  return true;
}

function resolve(root: JsonSchema, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let node: Json | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    if (!isObject(node)) return undefined;
    node = node[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return node;
}

function isObject(node: Json | undefined): node is JsonObject {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

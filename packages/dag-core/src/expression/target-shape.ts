import type { Json, JsonObject, JsonSchema } from '../json.ts';

// Rules kept here: X4 where the target wants a list, a single value becomes a list of one and nothing becomes [].

/** What a JSON Schema says about lists and optional fields of a value, read step by step as far as a template goes. */
export interface TargetShape {
  /** The schema takes a list here and does not take `value` as it is. */
  wantsListFor(value: Json | undefined): boolean;
  /** The schema declares the field and does not require it. */
  isOptional(key: string): boolean;
  field(key: string): TargetShape | undefined;
  item(index: number): TargetShape | undefined;
  /** Fields the schema names. */
  readonly fields: readonly string[];
  readonly hasItems: boolean;
}

const shapes = new WeakMap<JsonObject, TargetShape>();

/** The shape of a schema; undefined for schemas that say nothing. Kept per schema object. */
export function shapeOf(schema: JsonSchema | undefined): TargetShape | undefined {
  return schema === undefined ? undefined : shapeIn(schema, schema);
}

function shapeIn(schema: Json | undefined, root: JsonSchema): TargetShape | undefined {
  const resolved = resolve(schema, root, 0);
  if (!isObject(resolved)) return undefined;
  let shape = shapes.get(resolved);
  if (!shape) {
    shape = buildShape(resolved, root);
    shapes.set(resolved, shape);
  }
  return shape;
}

/** Follows `$ref` inside the document; anything else stays as it is. */
function resolve(schema: Json | undefined, root: JsonSchema, hops: number): Json | undefined {
  if (!isObject(schema) || typeof schema.$ref !== 'string' || hops > 32) return schema;
  if (schema.$ref === '#') return resolve(root, root, hops + 1);
  if (!schema.$ref.startsWith('#/')) return schema;
  let target: Json | undefined = root;
  for (const part of schema.$ref.slice(2).split('/')) {
    const key = decodePart(part);
    target =
      typeof target === 'object' && target !== null && Object.hasOwn(target, key)
        ? (target as JsonObject)[key]
        : undefined;
  }
  return resolve(target, root, hops + 1);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

function buildShape(schema: JsonObject, root: JsonSchema): TargetShape {
  const types = new Set(
    typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : [],
  );
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const own = (key: string) => Object.hasOwn(properties, key);
  return {
    wantsListFor: (value) =>
      types.has('array') &&
      !Array.isArray(value) &&
      (value === undefined ||
        (!types.has(typeOf(value)) &&
          !(typeof value === 'number' && Number.isInteger(value) && types.has('integer')))),
    isOptional: (key) => own(key) && !required.has(key),
    field: (key) => shapeIn(own(key) ? properties[key] : schema.additionalProperties, root),
    item: (index) => shapeIn(prefix[index] ?? schema.items, root),
    fields: Object.keys(properties),
    hasItems: prefix.length > 0 || isObject(schema.items),
  };
}

const typeOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts single values into lists wherever the shape wants lists, inside the value too; copies only what changes. */
export function fitToShape(value: Json, shape: TargetShape, depth = 0): Json {
  if (depth > 64) return value;
  if (shape.wantsListFor(value)) return fitToShape([value], shape, depth + 1);
  if (Array.isArray(value)) return shape.hasItems ? fitItems(value, shape, depth) : value;
  return isObject(value) ? fitFields(value, shape, depth) : value;
}

function fitItems(list: readonly Json[], shape: TargetShape, depth: number): Json {
  let copy: Json[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const item = list[at] as Json;
    const inner = shape.item(at);
    const fitted = inner ? fitToShape(item, inner, depth + 1) : item;
    if (fitted !== item) {
      copy ??= [...list];
      copy[at] = fitted;
    }
  }
  return copy ?? (list as Json[]);
}

function fitFields(value: JsonObject, shape: TargetShape, depth: number): Json {
  let copy: JsonObject | undefined;
  for (const key of shape.fields) {
    if (!Object.hasOwn(value, key)) continue;
    const inner = shape.field(key);
    const field = value[key] as Json;
    const fitted = inner ? fitToShape(field, inner, depth + 1) : field;
    if (fitted !== field) {
      copy ??= { ...value };
      copy[key] = fitted;
    }
  }
  return copy ?? value;
}

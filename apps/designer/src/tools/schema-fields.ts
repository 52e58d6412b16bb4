import type { Json, JsonObject, JsonSchema } from '@pawl/dag-core';
import { resolved, type TypeWord } from '../inspecting/members.ts';

/** What a value may be. */
export type ValueType =
  | { readonly is: Exclude<TypeWord, 'array'> }
  /** Of items that are any of these; none: of whatever. */
  | { readonly is: 'array'; readonly of: readonly ValueType[] }
  /** One of these values. */
  | { readonly is: 'choice'; readonly values: readonly Json[] };

/** One value that a schema names, at whatever depth. */
export interface SchemaField {
  /** The members that lead there; `[]` behind one says: of each item. */
  readonly path: string;
  /** Any of these; none: whatever. */
  readonly types: readonly ValueType[];
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  /** What counts where none is given. */
  readonly default?: Json | undefined;
}

/** How deep a schema is followed, which may refer to itself. */
const DEPTH = 6;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every value that a schema names, in its order, each before what is inside it. */
export const fieldsOf = (schema: JsonSchema | undefined): SchemaField[] => fieldsIn(schema, schema, '', 0);

function fieldsIn(
  schema: JsonSchema | undefined,
  root: JsonSchema | undefined,
  within: string,
  depth: number,
): SchemaField[] {
  const at = resolved(schema, root);
  if (!isObject(at) || depth >= DEPTH) return [];
  if (isObject(at.items)) return fieldsIn(at.items as JsonSchema, root, `${within}[]`, depth + 1);
  if (!isObject(at.properties)) return [];
  const required = Array.isArray(at.required) ? at.required : [];
  return Object.entries(at.properties).flatMap(([name, inner]) => {
    const path = within === '' ? name : `${within}.${name}`;
    const says = resolved(inner as JsonSchema, root);
    const field: SchemaField = {
      path,
      types: typesOf(inner as JsonSchema, root),
      isRequired: required.includes(name),
      ...(isObject(says) && typeof says.description === 'string' && { description: says.description }),
      ...(isObject(says) && says.default !== undefined && { default: says.default }),
    };
    return [field, ...fieldsIn(inner as JsonSchema, root, path, depth + 1)];
  });
}

/** What a value of a schema may be; empty where the schema does not say. */
export function typesOf(
  schema: JsonSchema | undefined,
  root: JsonSchema | undefined = schema,
  depth = 0,
): ValueType[] {
  const at = resolved(schema, root);
  if (!isObject(at) || depth >= DEPTH) return [];
  if (Array.isArray(at.enum)) return [{ is: 'choice', values: at.enum }];
  if (at.const !== undefined) return [{ is: 'choice', values: [at.const] }];
  const ways = [at.anyOf, at.oneOf].find(Array.isArray);
  if (ways) {
    const each = ways.map((way) => typesOf(way as JsonSchema, root, depth + 1));
    return each.some((types) => types.length === 0) ? [] : distinct(each.flat());
  }
  const words = (Array.isArray(at.type) ? at.type : [at.type]) as (TypeWord | undefined)[];
  return words.flatMap((is): ValueType[] => {
    if (is === undefined) return [];
    return is === 'array' ? [{ is, of: typesOf(at.items as JsonSchema, root, depth + 1) }] : [{ is }];
  });
}

/** Each once; several choices as one. */
function distinct(types: readonly ValueType[]): ValueType[] {
  const values = types.flatMap((type) => (type.is === 'choice' ? type.values : []));
  const others = types.filter(({ is }) => is !== 'choice');
  const byText = new Map(others.map((type) => [JSON.stringify(type), type]));
  return [...(values.length > 0 ? [{ is: 'choice' as const, values }] : []), ...byText.values()];
}

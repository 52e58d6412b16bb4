import type { Json, JsonObject, JsonSchema } from '@pawl/dag-core';

/** A word for what a value is, as JSON Schema says it. */
export type TypeWord = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** A member of a value, as a schema or a recorded value knows it. */
export interface Member {
  readonly name: string;
  readonly type?: TypeWord | undefined;
  /** What the schema says of it. */
  readonly about?: string | undefined;
  /** The recorded value in one line. */
  readonly sample?: string | undefined;
}

/** Most members that are listed of one value. */
const MOST = 200;
/** Most items of a list that are looked into for members. */
const MOST_ITEMS = 20;
const SAMPLE_LENGTH = 60;

/** A JSON object, and neither a list nor null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema of what names lead to. In the expression language a list is read through: a name means that member of its items. */
export function schemaAt(schema: JsonSchema | undefined, names: readonly string[]): JsonSchema | undefined {
  return names.reduce<JsonSchema | undefined>((at, name) => {
    const { properties } = throughLists(at, schema) ?? {};
    return isObject(properties) && Object.hasOwn(properties, name)
      ? (properties[name] as JsonSchema)
      : undefined;
  }, schema);
}

function throughLists(schema: JsonSchema | undefined, root: JsonSchema | undefined): JsonObject | undefined {
  let at = resolved(schema, root);
  for (let depth = 0; depth < 8 && isObject(at) && isObject(at.items); depth += 1)
    at = resolved(at.items as JsonSchema, root);
  return isObject(at) ? at : undefined;
}

/** What a reference inside the schema means. */
export function resolved(
  schema: JsonSchema | undefined,
  root: JsonSchema | undefined,
): JsonSchema | undefined {
  const ref = isObject(schema) ? schema.$ref : undefined;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema;
  const target = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), root);
  return target as JsonSchema | undefined;
}

/** The members that a schema names. */
export function membersOfSchema(schema: JsonSchema | undefined): Member[] {
  const { properties } = throughLists(schema, schema) ?? {};
  if (!isObject(properties)) return [];
  return Object.entries(properties)
    .slice(0, MOST)
    .map(([name, inner]) => ({
      name,
      type: typeOfSchema(inner as JsonSchema),
      about: isObject(inner) ? ((inner.description ?? inner.title) as string | undefined) : undefined,
    }));
}

/** The type that a schema names, where it names one. */
export function typeOfSchema(schema: JsonSchema | undefined): TypeWord | undefined {
  if (!isObject(schema)) return undefined;
  if (Array.isArray(schema.type)) return schema.type.find((type) => type !== 'null') as TypeWord | undefined;
  if (typeof schema.type === 'string') return schema.type as TypeWord;
  return Array.isArray(schema.enum) && schema.enum.every((one) => typeof one === 'string')
    ? 'string'
    : undefined;
}

/** The members of a recorded value; of a list those of its items. */
export function membersOfValue(value: Json | undefined): Member[] {
  const members = new Map<string, Member>();
  for (const each of Array.isArray(value) ? value.slice(0, MOST_ITEMS) : [value]) {
    if (!isObject(each)) continue;
    for (const [name, inner] of Object.entries(each)) {
      if (members.size >= MOST) return [...members.values()];
      if (!members.has(name)) members.set(name, { name, type: typeOfValue(inner), sample: sampleOf(inner) });
    }
  }
  return [...members.values()];
}

/** What names lead to in a recorded value; through a list by its first item that has it. */
export function valueThrough(value: Json | undefined, names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>((at, name) => {
    const holder = Array.isArray(at) ? at.find((item) => isObject(item) && Object.hasOwn(item, name)) : at;
    return isObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
  }, value);
}

export function typeOfValue(value: Json): TypeWord {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'string' | 'boolean' | 'object';
}

/** A value in one short line. */
export function sampleOf(value: Json): string {
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, SAMPLE_LENGTH * 2) : briefly(value));
  return text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH - 1)}…` : text;
}

/** Enough of a value for one line, so that a big one is not written out. */
function briefly(value: Json, depth = 0): Json {
  if (typeof value === 'string') return value.slice(0, SAMPLE_LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 3) return '…';
  if (Array.isArray(value)) return value.slice(0, 8).map((item) => briefly(item, depth + 1));
  const some = Object.entries(value).slice(0, 8);
  return Object.fromEntries(some.map(([name, inner]) => [name, briefly(inner as Json, depth + 1)]));
}

/** What a schema and a recorded value know of the same members: the schema's order first. */
export function joinMembers(known: readonly Member[], seen: readonly Member[]): Member[] {
  const bySeen = new Map(seen.map((member) => [member.name, member]));
  const names = new Set(known.map(({ name }) => name));
  return [
    ...known.map((member) => {
      const { type, sample } = bySeen.get(member.name) ?? {};
      return { ...member, type: member.type ?? type, sample };
    }),
    ...seen.filter(({ name }) => !names.has(name)),
  ];
}

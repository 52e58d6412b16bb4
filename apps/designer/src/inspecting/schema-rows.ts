import type { Json, JsonObject, JsonSchema } from '@pawl/dag-core';
import { isObject } from './members.ts';

/** Types that a row of the schema builder offers; `choice`: one of some texts. */
export const ROW_TYPES = ['string', 'number', 'integer', 'boolean', 'choice', 'array', 'object'] as const;
export type RowType = (typeof ROW_TYPES)[number];

/** One property of an object schema. */
export interface SchemaRow {
  readonly name: string;
  /** Absent: the property says what it is in another way; only the JSON view can change that. */
  readonly type?: RowType | undefined;
  readonly isRequired: boolean;
  readonly description: string;
  /** Of a choice: what can be chosen. */
  readonly choices: readonly string[];
}

const propertiesOf = (schema: JsonSchema | undefined): Readonly<Record<string, Json>> =>
  isObject(schema) && isObject(schema.properties) ? schema.properties : {};

const requiredOf = (schema: JsonSchema | undefined): readonly Json[] =>
  isObject(schema) && Array.isArray(schema.required) ? schema.required : [];

/** Whether rows can show a schema: nothing yet, or an object with properties that stand for themselves. */
export function hasRows(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return true;
  if (!isObject(schema) || (schema.type !== undefined && schema.type !== 'object')) return false;
  return !['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'].some((word) => word in schema);
}

export function rowsOf(schema: JsonSchema | undefined): SchemaRow[] {
  const required = requiredOf(schema);
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    type: typeOf(property),
    isRequired: required.includes(name),
    description: isObject(property) && typeof property.description === 'string' ? property.description : '',
    choices: isObject(property) && Array.isArray(property.enum) ? property.enum.map(String) : [],
  }));
}

function typeOf(property: Json): RowType | undefined {
  if (!isObject(property)) return undefined;
  if (Array.isArray(property.enum))
    return property.enum.every((one) => typeof one === 'string') ? 'choice' : undefined;
  return ROW_TYPES.find((type) => type === property.type && type !== 'choice');
}

/** The schema with one property changed; what the row does not show of it stays. */
export function withRow(
  schema: JsonSchema | undefined,
  name: string,
  change: Partial<SchemaRow>,
): JsonObject {
  const to = change.name ?? name;
  const properties = Object.fromEntries(
    Object.entries(propertiesOf(schema)).map(([each, property]) =>
      each === name ? [to, changed(isObject(property) ? property : {}, change)] : [each, property],
    ),
  );
  const names = requiredOf(schema).map((each) => (each === name ? to : each));
  const isRequired = change.isRequired ?? names.includes(to);
  return whole(schema, properties, [...names.filter((each) => each !== to), ...(isRequired ? [to] : [])]);
}

function changed(property: JsonObject, { type, description, choices }: Partial<SchemaRow>): JsonObject {
  let next: JsonObject = property;
  if (type !== undefined) {
    const { type: _type, enum: _enum, items: _items, properties: _properties, ...rest } = next;
    next =
      type === 'choice' ? { type: 'string', enum: choices ? [...choices] : [], ...rest } : { type, ...rest };
  } else if (choices !== undefined) next = { ...next, enum: [...choices] };
  if (description === undefined) return next;
  const { description: _description, ...rest } = next;
  return description === '' ? rest : { ...rest, description };
}

/** The schema with one more property, a required text. */
export const withNewRow = (schema: JsonSchema | undefined, name: string): JsonObject =>
  whole(schema, { ...propertiesOf(schema), [name]: { type: 'string' } }, [...requiredOf(schema), name]);

/** The schema without a property; one without any says nothing any more. */
export function withoutRow(schema: JsonSchema | undefined, name: string): JsonObject {
  const { [name]: _gone, ...properties } = propertiesOf(schema);
  return whole(
    schema,
    properties,
    requiredOf(schema).filter((each) => each !== name),
  );
}

/** The schema with a property one place up or down among the others. */
export function withRowMoved(schema: JsonSchema | undefined, name: string, by: 1 | -1): JsonObject {
  const entries = Object.entries(propertiesOf(schema));
  const at = entries.findIndex(([each]) => each === name);
  const [moved] = entries.splice(at, 1);
  entries.splice(Math.max(0, at + by), 0, moved!);
  return whole(schema, Object.fromEntries(entries), requiredOf(schema));
}

function whole(
  schema: JsonSchema | undefined,
  properties: Readonly<Record<string, Json>>,
  required: readonly Json[],
): JsonObject {
  const {
    type: _type,
    properties: _properties,
    required: _required,
    ...rest
  } = isObject(schema) ? schema : {};
  const order = Object.keys(properties);
  const sorted = required.toSorted((a, b) => order.indexOf(String(a)) - order.indexOf(String(b)));
  return {
    ...rest,
    type: 'object',
    properties,
    ...(sorted.length > 0 && { required: sorted }),
  };
}

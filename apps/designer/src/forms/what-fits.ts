import type { Json, JsonObject, JsonSchema } from '@pawl/dag-core';
import type { RJSFSchema, UiSchema } from '@rjsf/utils';

// Rules kept here: a place of a schema is a field where one value, of one type, is certain; every other place is JSON text, alone:
// what stands beside it stays a form. Nothing that is filled in already may fall out of a form.

/** The place is written as JSON. */
const AS_JSON: UiSchema = { 'ui:field': 'json' };

/** Ways of saying what a value is that one field cannot show. */
const UNSURE = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'patternProperties',
  'prefixItems',
  'dependentSchemas',
  'contains',
];

/** Longest text that is written in one line, in characters. */
const ONE_LINE = 80;

/** How a form shows a schema, place by place, when `value` is filled in. */
export function whatFits(of: JsonSchema | undefined, value?: Json): UiSchema {
  if (typeof of !== 'object' || UNSURE.some((word) => word in of)) return AS_JSON;
  const schema = of as Parts;
  if (isChoice(schema))
    return schema.enum!.some((one) => one === value) || value === undefined ? {} : AS_JSON;
  if (!hasType(schema, value)) return AS_JSON;
  switch (schema.type) {
    case 'object':
      return objectFits(schema, value as JsonObject | undefined);
    case 'array':
      return arrayFits(schema, value as Json[] | undefined);
    case 'string':
      return isLong(value)
        ? { 'ui:widget': 'textarea' }
        : { 'ui:widget': WIDGETS[String(schema.format)] ?? 'text' };
    case 'number':
    case 'integer':
    case 'boolean':
      return {};
    default:
      return AS_JSON;
  }
}

/** The schema as it is drawn: of a place that is JSON text only how it is called, so that no way of saying more can be in the way. */
export function asDrawn(schema: JsonSchema, ui: UiSchema, name = ''): RJSFSchema {
  const { title = name, description, ...rest } = (typeof schema === 'object' ? schema : {}) as RJSFSchema;
  const named = { title, ...(description !== undefined && { description }) };
  if (ui['ui:field'] === 'json') return named;
  const { properties, items } = rest as Parts;
  return {
    ...rest,
    ...named,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([inner, of]) => [inner, asDrawn(of, ui[inner], inner)]),
      ),
    }),
    ...(items !== undefined && { items: asDrawn(items, ui.items as UiSchema) }),
  };
}

const WIDGETS: Readonly<Record<string, string>> = { date: 'date', email: 'email', uri: 'uri' };

interface Parts {
  readonly type?: Json;
  readonly format?: Json;
  readonly enum?: readonly Json[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

const isChoice = (schema: Parts): boolean =>
  Array.isArray(schema.enum) &&
  schema.enum.every((one) => typeof one === 'string' || typeof one === 'number');

function hasType({ type }: Parts, value: Json | undefined): boolean {
  if (value === undefined) return true;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === (type === 'integer' ? 'number' : type);
}

function objectFits(schema: Parts, value: JsonObject = {}): UiSchema {
  const { properties = {} } = schema;
  const names = Object.keys(properties);
  const isWhole = names.length > 0 && Object.keys(value).every((name) => names.includes(name));
  if (!isWhole) return AS_JSON;
  return Object.fromEntries(names.map((name) => [name, whatFits(properties[name], value[name])]));
}

function arrayFits({ items }: Parts, value: readonly Json[] = []): UiSchema {
  const empty = whatFits(items);
  if (empty === AS_JSON || !value.every((one) => hasSameFields(whatFits(items, one), empty))) return AS_JSON;
  return {
    items: value.map((one) => whatFits(items, one)).find((one) => one['ui:widget'] === 'textarea') ?? empty,
  };
}

/** All items share what they look like: one that needs JSON where others do not makes JSON of the list. */
const hasSameFields = (one: UiSchema, other: UiSchema): boolean => jsonPlaces(one) === jsonPlaces(other);

const jsonPlaces = (ui: UiSchema): number => JSON.stringify(ui).split('"ui:field"').length;

const isLong = (value: Json | undefined): boolean =>
  typeof value === 'string' && (value.length > ONE_LINE || value.includes('\n'));

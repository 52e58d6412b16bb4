import { pointerParts } from '../canonical/json-pointer.ts';
import { quoteName } from '../expression/find-references.ts';
import type { Reference } from '../expression/index.ts';
import type { JsonSchema } from '../json.ts';
import type { TemplateField } from '../kinds/index.ts';
import type { EffectWorld } from './check-effects.ts';
import { stringAt, templatesOf } from './check-references.ts';
import type { NodeConfig } from './document.ts';
import { type Issue, warningAt } from './issue.ts';
import { outputSchemaOf } from './output-schema.ts';
import { type FoundNode, isRecord } from './read-scopes.ts';
import { typeNames } from './schema-issues.ts';

// Rules kept here: G14 what is read has a type that is wanted, as far as both are known when the flow is drawn.

/** Warns of expressions that read a value as it is where a value of another type is wanted, with what would make it one. */
export function checkTypes(node: FoundNode, world: EffectWorld): Issue[] {
  if (node.isBroken) return [];
  return templatesOf(node).flatMap((field) => {
    const wanted = field.as === 'value' ? wantedSchema(node.config, field, world) : undefined;
    if (wanted === undefined) return [];
    return world.compile(field).references.flatMap((reference) => {
      if (!isAlone(stringAt(field.template, reference.pointer), reference)) return [];
      const needs = typesAt(wanted, pointerParts(reference.pointer));
      const gives = typesRead(reference, world);
      if (!needs || !gives || gives.some((each) => needs.includes(each))) return [];
      // What is no list becomes a list of one (X4).
      if (needs.includes('array')) return [];
      return [mismatch(node.pointer, field.pointer + reference.pointer, written(reference), needs, gives)];
    });
  });
}

function wantedSchema(
  config: NodeConfig,
  field: TemplateField,
  { registered }: EffectWorld,
): JsonSchema | undefined {
  if (config.kind === 'tool' && field.pointer === '/args') return registered.tools?.get(config.tool)?.input;
  return field.schema;
}

/** True when the text is this reference and nothing else, so that the value keeps its type. */
const isAlone = (text: string, reference: Reference): boolean =>
  /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(text)?.[1]?.trim() === written(reference);

/** As it is written: an id may need quotes. */
const written = ({ root, node, path }: Reference): string =>
  root === 'nodes' && node !== undefined
    ? `nodes.${quoteName(node)}${path.slice('nodes.'.length + node.length)}`
    : path;

function typesRead(reference: Reference, world: EffectWorld): readonly string[] | undefined {
  const { root, node: id, path } = reference;
  if (root === 'input') return typesAt(world.document.input as JsonSchema, path.split('.').slice(1));
  const source = root === 'nodes' && id !== undefined ? world.byId.get(id) : undefined;
  // What stands for the output of a failure may be anything.
  if (!source || source.isBroken || source.config.onError) return undefined;
  const [output, ...members] = path.slice(`nodes.${id}.`.length).split('.');
  if (output !== 'output') return undefined;
  return typesAt(outputSchemaOf(source.config, world.registered.tools ?? new Map()), members);
}

/** The types that a schema allows at a place; undefined where it does not say, or says it in ways that are not followed here. */
function typesAt(schema: JsonSchema | undefined, parts: readonly string[]): readonly string[] | undefined {
  if (!isRecord(schema) || UNCLEAR.some((keyword) => schema[keyword] !== undefined)) return undefined;
  const [part, ...rest] = parts;
  const types = typesOf(schema);
  if (part === undefined) return types;
  if (types?.includes('array'))
    // Names of members are read of every item; only a place in the list is one item.
    return /^\d+$/.test(part) ? typesAt(schema.items as JsonSchema | undefined, rest) : undefined;
  const { properties } = schema;
  return isRecord(properties) && Object.hasOwn(properties, part)
    ? typesAt(properties[part] as JsonSchema, rest)
    : undefined;
}

const UNCLEAR = ['$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'not', 'if'];

function typesOf(schema: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { type, enum: values } = schema;
  const constants = Array.isArray(values) ? values : Object.hasOwn(schema, 'const') ? [schema.const] : [];
  const named = type === undefined ? constants.map(typeOf) : [type].flat().map(String);
  if (named.length === 0) return undefined;
  // An integer is a number, and a number may be an integer.
  return [...new Set(named.map((each) => (each === 'integer' ? 'number' : each)))];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function mismatch(
  node: string,
  pointer: string,
  read: string,
  needs: readonly string[],
  gives: readonly string[],
): Issue {
  const name = pointerParts(pointer).join('.');
  const message = `${name} must be ${typeNames(needs)}, and ${read} is ${typeNames(gives)}`;
  const converted = needs.map((need) => CONVERSIONS[need]?.(read, gives)).find((each) => each !== undefined);
  const hint =
    converted === undefined ? 'read what fits, or make it of what is read' : `write {{ ${converted} }}`;
  return warningAt('type_mismatch', node + pointer, message, hint);
}

type Conversion = (read: string, gives: readonly string[]) => string | undefined;

/** What makes a value one of another type, where one thing can be meant only. */
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  string: (read) => `$string(${read})`,
  number: (read, gives) =>
    gives.every((each) => each === 'string' || each === 'boolean') ? `$number(${read})` : undefined,
  boolean: (read, gives) => (gives.join() === 'string' ? `${read} = "true"` : undefined),
};

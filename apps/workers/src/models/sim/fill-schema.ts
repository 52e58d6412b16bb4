import { chooseLabel, type LabelEvidence } from './choose-label.ts';
import { fillBoolean, fillNumber } from './fill-number.ts';
import { fillText } from './fill-text.ts';
import { type Hints, readHints } from './hints.ts';
import { elementOf, elementsOf, evidenceOf, type Material } from './material.ts';
import { typeOf, viewSchema } from './schema-view.ts';
import { keySentences } from './summarise.ts';

// Fills a JSON Schema (draft 2020-12) from the material of a prompt. Covered: objects, arrays, enum, const, bounds,
// lengths, simple patterns, formats, oneOf/anyOf/allOf, null, $ref inside the document. Not covered: if/then, not,
// dependent keywords, contains; an answer to such a schema may miss it, as a real model's may.

type SchemaObject = { readonly [key: string]: unknown };

interface Place {
  readonly root: unknown;
  readonly name: string;
  readonly description: string;
  readonly references: number;
  readonly depth: number;
  readonly hints: Hints;
}

/** One JSON value of the schema's shape, drawn from the material. */
export function fillSchema(schema: unknown, material: Material, hints: Hints): unknown {
  return fill(schema, material, { root: schema, name: '', description: '', references: 0, depth: 0, hints });
}

function fill(node: unknown, material: Material, place: Place): unknown {
  const evidence = evidenceOf(material);
  const { schema, references, nullable } = viewSchema(place.root, node, place.references, (alternatives) =>
    chooseAlternative(alternatives, evidence),
  );
  const description = typeof schema.description === 'string' ? schema.description : place.description;
  const here: Place = { ...place, references, description };
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return fillEnum(schema.enum, evidence);
  const copied = copyOf(schema, material.data, place.name);
  if (copied !== undefined) return copied;
  switch (typeOf(schema)) {
    case 'object':
      return fillObject(schema, material, here);
    case 'array':
      return fillArray(schema, material, here);
    case 'integer':
    case 'number':
      return fillNumber(
        { ...numbersOf(schema), name: place.name, integer: typeOf(schema) === 'integer' },
        material,
      );
    case 'boolean':
      return fillBoolean(place.name, material);
    case 'null':
      return null;
    default:
      return fillText({ ...textsOf(schema), name: place.name, description, nullable }, material, place.hints);
  }
}

function fillObject(schema: SchemaObject, material: Material, place: Place): unknown {
  const properties = (schema.properties ?? {}) as Record<string, unknown>;
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const filled: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const tooDeep = place.references > 3 || place.depth > 8;
    if (tooDeep && !required.has(name)) continue;
    const value = fill(property, material, { ...place, name, description: '', depth: place.depth + 1 });
    Object.defineProperty(filled, name, { value, enumerable: true, configurable: true, writable: true });
  }
  addDynamicProperties(schema, filled, material, place);
  return filled;
}

/** Names that are demanded but not described, and as many more as `minProperties` asks for. */
function addDynamicProperties(
  schema: SchemaObject,
  filled: Record<string, unknown>,
  material: Material,
  place: Place,
): void {
  const extra = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  const wanted = ((schema.required as string[] | undefined) ?? []).filter(
    (name) => !Object.hasOwn(filled, name),
  );
  const least = typeof schema.minProperties === 'number' ? schema.minProperties : 0;
  const names = [...wanted];
  for (let i = 0; Object.keys(filled).length + names.length < least; i += 1) {
    names.push(material.read().keywords[i] ?? `item${i + 1}`);
  }
  for (const name of names) {
    const value = fill(extra, material, { ...place, name, description: '', depth: place.depth + 1 });
    Object.defineProperty(filled, name, { value, enumerable: true, configurable: true, writable: true });
  }
}

function fillArray(schema: SchemaObject, material: Material, place: Place): unknown[] {
  const prefix = (schema.prefixItems as unknown[] | undefined) ?? [];
  const least = Number(schema.minItems ?? 0);
  const most = Number(schema.maxItems ?? Number.POSITIVE_INFINITY);
  const fixed = prefix.map((item) => fill(item, material, { ...place, depth: place.depth + 1 }));
  if (schema.items === false || (schema.items === undefined && prefix.length > 0)) return fixed;
  const { schema: item } = viewSchema(place.root, schema.items, place.references, () => 0);
  const wish = { least: Math.max(0, least - fixed.length), most: Math.max(0, most - fixed.length) };
  const rest = Array.isArray(item.enum)
    ? fillLabels(item.enum, wish, material)
    : typeOf(item) === 'string' &&
        item.const === undefined &&
        item.format === undefined &&
        item.pattern === undefined
      ? fillTexts(item, wish, material, place)
      : fillElements(schema.items, wish, material, place);
  return [...fixed, ...rest];
}

interface Count {
  readonly least: number;
  readonly most: number;
}

function fillLabels(labels: readonly unknown[], wish: Count, material: Material): unknown[] {
  const left = [...labels];
  const chosen: unknown[] = [];
  for (let i = 0; i < Math.min(Math.max(1, wish.least), wish.most, labels.length); i += 1) {
    const label = fillEnum(left, evidenceOf(material));
    chosen.push(label);
    left.splice(left.indexOf(label), 1);
  }
  return chosen;
}

const KEYWORD_LIST = /keyword|tag|topic|term|theme|subject|entit|concept|people|places/i;

/** Keywords where the name asks for them, else key sentences; all different. */
function fillTexts(item: SchemaObject, wish: Count, material: Material, place: Place): string[] {
  const hinted = readHints(place.description).items ?? place.hints.items;
  const keywords = KEYWORD_LIST.test(place.name);
  const count = Math.max(wish.least, Math.min(wish.most, hinted ?? (keywords ? 5 : 3)));
  const source = keywords ? material.read().keywords.slice(0, count) : keySentences(material.read(), count);
  const limits = textsOf(item);
  const texts = new Set<string>(
    source.map((text) =>
      fillText(
        { ...limits, name: 'text', description: 'in one sentence', nullable: false },
        elementFor(text, material),
        place.hints,
      ),
    ),
  );
  for (let i = 0; texts.size < wish.least; i += 1) {
    const spare = material.read().keywords[i] ?? `simulated ${i + 1}`;
    texts.add(
      fillText(
        { ...limits, name: 'text', description: '', nullable: false },
        elementFor(spare, material),
        place.hints,
      ),
    );
    if (i > 1_000) break;
  }
  return [...texts].slice(0, count);
}

/** One element per element of the material where that is a list, else per key sentence. */
function fillElements(items: unknown, wish: Count, material: Material, place: Place): unknown[] {
  const next = { ...place, description: '', depth: place.depth + 1 };
  if (place.references > 3 || place.depth > 8)
    return Array.from({ length: wish.least }, () => fill(items, material, next));
  const elements = elementsOf(material.data);
  const sources =
    elements !== undefined
      ? elements.map((element) => elementOf(material, element))
      : keySentences(material.read(), Math.max(wish.least, Math.min(wish.most, place.hints.items ?? 3))).map(
          (text) => elementFor(text, material),
        );
  while (sources.length < wish.least) sources.push(material);
  return sources.slice(0, wish.most).map((source) => fill(items, source, next));
}

function elementFor(text: string, material: Material): Material {
  return elementOf(material, text);
}

function fillEnum(values: readonly unknown[], evidence: LabelEvidence): unknown {
  const labels = values.filter((value): value is string => typeof value === 'string');
  if (labels.length > 0) return chooseLabel(labels, evidence);
  const open = values.filter((value) => value !== null);
  if (open.length === 0) return null;
  if (open.every((value) => typeof value === 'number')) {
    const sorted = [...open].sort((a, b) => (a as number) - (b as number));
    return sorted[Math.min(sorted.length - 1, Math.floor(evidence.quality() * sorted.length))];
  }
  return open[Math.floor(evidence.draw * open.length)];
}

/** The alternative whose fixed words (const, enum, title) the material speaks of most; else the first. */
function chooseAlternative(alternatives: readonly SchemaObject[], evidence: LabelEvidence): number {
  const names = alternatives.map(markOf);
  if (names.some((name) => name === undefined)) return 0;
  return names.indexOf(chooseLabel(names as string[], evidence));
}

function markOf(alternative: SchemaObject): string | undefined {
  if (typeof alternative.const === 'string') return alternative.const;
  const marks = Object.values((alternative.properties ?? {}) as Record<string, SchemaObject>)
    .map(
      (property) =>
        property?.const ??
        (Array.isArray(property?.enum) && property.enum.length === 1 ? property.enum[0] : undefined),
    )
    .filter((value): value is string => typeof value === 'string');
  return marks[0] ?? (typeof alternative.title === 'string' ? alternative.title : undefined);
}

/** A value that JSON material already holds under the same name, when it fits. */
function copyOf(schema: SchemaObject, data: unknown, name: string): unknown {
  if (name === '' || typeof data !== 'object' || data === null || !Object.hasOwn(data, name))
    return undefined;
  const value = (data as Record<string, unknown>)[name];
  const type = typeOf(schema);
  if (typeof value === 'string' && type === 'string') {
    const { minLength, maxLength, pattern, format } = textsOf(schema);
    const length = Array.from(value).length;
    const fits = length >= minLength && length <= maxLength && format === undefined;
    return fits && (pattern === undefined || matches(pattern, value)) ? value : undefined;
  }
  if (typeof value === 'number' && (type === 'number' || (type === 'integer' && Number.isInteger(value)))) {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = numbersOf(schema);
    const inside =
      value >= (minimum ?? -Infinity) &&
      value <= (maximum ?? Infinity) &&
      value > (exclusiveMinimum ?? -Infinity) &&
      value < (exclusiveMaximum ?? Infinity);
    return inside && multipleOf === undefined ? value : undefined;
  }
  return typeof value === 'boolean' && type === 'boolean' ? value : undefined;
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return false;
  }
}

function textsOf(schema: SchemaObject) {
  return {
    minLength: Number(schema.minLength ?? 0),
    maxLength: Number(schema.maxLength ?? Number.POSITIVE_INFINITY),
    ...(typeof schema.pattern === 'string' ? { pattern: schema.pattern } : {}),
    ...(typeof schema.format === 'string' ? { format: schema.format } : {}),
  };
}

function numbersOf(schema: SchemaObject) {
  const bounds: Partial<
    Record<'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf', number>
  > = {};
  for (const key of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const) {
    if (typeof schema[key] === 'number') bounds[key] = schema[key] as number;
  }
  return bounds;
}

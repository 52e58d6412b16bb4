type SchemaObject = { readonly [key: string]: unknown };

/** A schema node made easy to read: references followed, `allOf` merged, one alternative chosen. */
export interface SchemaView {
  readonly schema: SchemaObject;
  /** References followed on the way here: guards against endless recursion. */
  readonly references: number;
  /** Null is allowed beside what `schema` asks for. */
  readonly nullable: boolean;
}

/** Opens a schema node. `choose` picks one of several alternatives (never asked about null ones). */
export function viewSchema(
  root: unknown,
  node: unknown,
  references: number,
  choose: (alternatives: readonly SchemaObject[]) => number,
): SchemaView {
  if (typeof node !== 'object' || node === null) return { schema: {}, references, nullable: false };
  let schema = node as SchemaObject;
  let followed = references;
  let nullable = false;
  for (let guard = 0; guard < 32; guard += 1) {
    if (typeof schema.$ref === 'string') {
      const { $ref, ...beside } = schema;
      schema = { ...resolvePointer(root, $ref as string), ...beside };
      followed += 1;
    } else if (Array.isArray(schema.allOf)) {
      const { allOf, ...beside } = schema;
      schema = (allOf as unknown[]).reduce<SchemaObject>(
        (merged, part) => mergeSchemas(merged, viewSchema(root, part, followed, choose).schema),
        beside,
      );
    } else {
      const alternatives = schema.anyOf ?? schema.oneOf;
      if (!Array.isArray(alternatives)) break;
      const { anyOf: _any, oneOf: _one, ...beside } = schema;
      const open = alternatives.filter(
        (part): part is SchemaObject =>
          typeof part === 'object' && part !== null && part.type !== 'null' && part.const !== null,
      );
      nullable ||= open.length < alternatives.length;
      // Deep inside a recursive schema the way out is the alternative that ends it.
      const chosen =
        open.length === 0 || followed > 3 ? (nullOf(alternatives) ?? open.at(-1)) : open[choose(open)];
      schema = mergeSchemas(beside, (chosen as SchemaObject | undefined) ?? {});
    }
  }
  nullable ||= Array.isArray(schema.type) && schema.type.includes('null') && schema.type.length > 1;
  return { schema, references: followed, nullable };
}

/** The type a schema asks for, inferred from its keywords when it names none; never `null` unless nothing else is left. */
export function typeOf(schema: SchemaObject): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return (type as string[]).find((name) => name !== 'null') ?? 'null';
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  if (schema.minimum !== undefined || schema.maximum !== undefined || schema.multipleOf !== undefined)
    return 'number';
  return 'string';
}

function nullOf(alternatives: readonly unknown[]): unknown {
  return alternatives.find(
    (part) => typeof part === 'object' && part !== null && (part as SchemaObject).type === 'null',
  );
}

function resolvePointer(root: unknown, reference: string): SchemaObject {
  if (reference === '#') return root as SchemaObject;
  if (!reference.startsWith('#/')) return {};
  let node: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node = (node as Record<string, unknown> | undefined)?.[key];
  }
  return typeof node === 'object' && node !== null ? (node as SchemaObject) : {};
}

function mergeSchemas(a: SchemaObject, b: SchemaObject): SchemaObject {
  const merged: Record<string, unknown> = { ...a, ...b };
  if (a.properties !== undefined && b.properties !== undefined) {
    merged.properties = { ...(a.properties as object), ...(b.properties as object) };
  }
  if (Array.isArray(a.required) && Array.isArray(b.required))
    merged.required = [...a.required, ...b.required];
  return merged;
}

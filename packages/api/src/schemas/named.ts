import { z } from 'zod';

/** The schemas of the OpenAPI document's `components`, by name. */
export const namedSchemas = z.registry<{ id: string }>();

/** Gives a schema its name in the OpenAPI document; every request and reply body has one. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  namedSchemas.add(schema, { id });
  return schema;
}

/**
 * A schema of exactly the members of a union of words; the record makes a forgotten or foreign word a type error.
 * (This package takes types of dag-core only, so that clients do not load the core.)
 */
export function words<W extends string>(all: Record<W, true>): z.ZodEnum<{ [K in W]: K }> {
  return z.enum(Object.keys(all) as W[]) as unknown as z.ZodEnum<{ [K in W]: K }>;
}

/** An array that nobody changes: rows of the store fit it as they are. */
export function list<S extends z.ZodType>(item: S) {
  return z.array(item) as unknown as z.ZodType<readonly z.output<S>[], readonly z.input<S>[]>;
}

/** A list of items with the cursor of the next page; no cursor: this is the last page. */
export function page<S extends z.ZodType>(id: string, item: S) {
  return named(
    id,
    z.object({
      items: list(item),
      nextCursor: z.string().optional().meta({ description: 'Opaque. Absent on the last page.' }),
    }),
  );
}

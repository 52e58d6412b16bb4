import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { describeIssues, type Issue } from './errors.ts';
import type { Json, JsonObject, JsonSchema } from './json.ts';
import { escapePointer } from './to-json.ts';

/** What a tool author may give as input or output: a zod 4 schema or a JSON Schema (2020-12). */
export type SchemaLike = z.ZodType | JsonSchema;

/** The type that a tool works with: zod's output type, or plain JSON where only a JSON Schema is known. */
export type Parsed<S> = S extends z.ZodType ? z.output<S> : Json;
/** The type that may be handed to the schema before its defaults and transforms. */
export type Unparsed<S> = S extends z.ZodType ? z.input<S> : Json;

/** The checked value (defaults filled in), or everything that is wrong with it. */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A schema in the two forms that are needed: as a document to show and as a function to check with. */
export interface CompiledSchema<T> {
  readonly jsonSchema: JsonSchema;
  parse(value: unknown): ParseResult<T>;
}

/** Most issues reported for one value. */
const MAX_ISSUES = 50;

/**
 * Compiles a schema.
 *
 * @param side  `input`: the document describes what may be sent (defaulted fields are optional); `output`: what comes out
 * @throws {Error} with a sentence when the schema is not valid or cannot be written as JSON Schema
 */
export function compileSchema<S extends SchemaLike>(
  schema: S,
  side: 'input' | 'output',
): CompiledSchema<Parsed<S>> {
  const compiled = isZod(schema) ? compileZod(schema, side) : compileJsonSchema(schema as JsonSchema);
  return compiled as CompiledSchema<Parsed<S>>;
}

// Not `instanceof`: a tool package may bring its own copy of zod 4.
function isZod(schema: unknown): schema is z.ZodType {
  return typeof schema === 'object' && schema !== null && '_zod' in schema;
}

function compileZod(schema: z.ZodType, side: 'input' | 'output'): CompiledSchema<unknown> {
  const jsonSchema = z.toJSONSchema(schema, { target: 'draft-2020-12', io: side }) as JsonObject;
  return {
    jsonSchema: plainCopy(jsonSchema),
    parse(value) {
      const result = schema.safeParse(value);
      if (result.success) return { ok: true, value: result.data };
      return { ok: false, issues: result.error.issues.slice(0, MAX_ISSUES).map(zodIssue) };
    },
  };
}

const zodIssue = (issue: z.core.$ZodIssue): Issue => ({
  pointer: issue.path.map((key) => `/${escapePointer(String(key))}`).join(''),
  message: issue.message,
});

/** Drops what zod adds beside the schema itself (its `~standard` member), which is not JSON. */
const plainCopy = (schema: JsonObject): JsonObject => JSON.parse(JSON.stringify(schema)) as JsonObject;

// One compiler for all tools. `addUsedSchema: false`: two tools may use the same $id. Formats are annotations in
// 2020-12. `ownProperties`: "required: [toString]" is not met by the prototype.
const compiler = new Ajv2020({
  allErrors: true,
  strict: false,
  validateFormats: false,
  addUsedSchema: false,
  ownProperties: true,
  useDefaults: true,
  logger: false,
});

function compileJsonSchema(schema: JsonSchema): CompiledSchema<Json> {
  if (
    typeof schema !== 'boolean' &&
    (typeof schema !== 'object' || schema === null || Array.isArray(schema))
  ) {
    throw new Error('the schema must be a zod schema, a JSON Schema object, true or false');
  }
  assertValidSchema(schema);
  const validate = compiler.compile(schema) as ValidateFunction<Json>;
  const fillsDefaults = JSON.stringify(schema).includes('"default"');
  return {
    jsonSchema: typeof schema === 'boolean' ? schema : structuredClone(schema),
    parse(value) {
      const candidate = fillsDefaults ? structuredClone(value) : value;
      if (validate(candidate)) return { ok: true, value: candidate };
      return { ok: false, issues: (validate.errors ?? []).slice(0, MAX_ISSUES).map(ajvIssue) };
    },
  };
}

function assertValidSchema(schema: JsonSchema): void {
  const { $schema } = (typeof schema === 'object' ? schema : {}) as JsonObject;
  if ($schema !== undefined && $schema !== 'https://json-schema.org/draft/2020-12/schema') {
    throw new Error(
      `the schema names the dialect ${JSON.stringify($schema)}; only JSON Schema 2020-12 is understood, so remove "$schema" or translate it`,
    );
  }
  if (compiler.validateSchema(schema) === true) return;
  const issues = (compiler.errors ?? []).map(ajvIssue);
  throw new Error(`the schema is not valid JSON Schema 2020-12: ${describeIssues(issues)}`);
}

function ajvIssue(error: ErrorObject): Issue {
  const named = namedProperty(error);
  const pointer = named === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(named)}`;
  return { pointer, message: issueMessage(error) };
}

/** Missing and surplus members are reported at their own pointer, not at their parent's. */
function namedProperty(error: ErrorObject): string | undefined {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'required') return String(params.missingProperty);
  if (error.keyword === 'additionalProperties') return String(params.additionalProperty);
  return undefined;
}

function issueMessage(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is missing';
  if (error.keyword === 'additionalProperties') return 'is not a known member';
  const params = error.params as { allowedValues?: unknown[] };
  if (error.keyword === 'enum') return `must be one of ${JSON.stringify(params.allowedValues)}`;
  return error.message ?? `breaks ${error.keyword}`;
}

import type { AnySchema, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json, JsonSchema } from '../json.ts';
import { errorAt, type Issue } from './issue.ts';
import { issuesFrom } from './schema-issues.ts';

// Rules kept here: G8 defaults are filled in and recorded, null is not "absent", nothing is converted.

const settings = {
  allErrors: true,
  verbose: true,
  strict: false,
  logger: false,
  // User schemas may share an `$id`; none of them is kept under it.
  addUsedSchema: false,
} as const;

const strictChecker = withFormats(new Ajv2020(settings));
const fillingChecker = withFormats(new Ajv2020({ ...settings, useDefaults: true }));

function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv);
  return ajv;
}

/**
 * Problems of a JSON Schema itself, pointers relative to it: unknown types, broken references, references that leave it.
 */
export function checkUserSchema(schema: JsonSchema): Issue[] {
  if (typeof schema === 'boolean') return [];
  if (schema.$async !== undefined) {
    return [
      errorAt('schema_invalid', '/$async', 'An asynchronous schema cannot be used here', 'leave $async out'),
    ];
  }
  if (typeof schema.$schema === 'string' && !/\/draft\/2020-12\/schema#?$/.test(schema.$schema)) {
    return [
      errorAt(
        'schema_invalid',
        '/$schema',
        `Schemas here are JSON Schema 2020-12, not ${schema.$schema}`,
        'leave $schema out',
      ),
    ];
  }
  try {
    strictChecker.validateSchema(schema as AnySchema);
    const issues = firstPerPlace(issuesFrom(strictChecker.errors, 'The schema'));
    if (issues.length === 0) compiled(strictChecker, schema);
    return issues;
  } catch (error) {
    return [
      errorAt(
        'schema_invalid',
        '',
        `The schema cannot be used: ${error instanceof Error ? error.message : error}`,
      ),
    ];
  }
}

/** The meta-schema answers a wrong word with every alternative it tried; one sentence per place is enough. */
function firstPerPlace(issues: readonly Issue[]): Issue[] {
  const places = new Map<string, Issue>();
  for (const issue of issues) {
    if (!places.has(issue.pointer)) places.set(issue.pointer, { ...issue, code: 'schema_invalid' });
  }
  return [...places.values()];
}

const caches = new WeakMap<Ajv2020, WeakMap<object, ValidateFunction>>();

/** Compiles once per schema object and checker. */
function compiled(ajv: Ajv2020, schema: JsonSchema): ValidateFunction {
  if (typeof schema === 'boolean') return ajv.compile(schema);
  let cache = caches.get(ajv);
  if (!cache) {
    cache = new WeakMap();
    caches.set(ajv, cache);
  }
  let validate = cache.get(schema);
  if (!validate) {
    validate = ajv.compile(schema as AnySchema);
    cache.set(schema, validate);
  }
  return validate;
}

/**
 * Checks a value against a user's JSON Schema and fills in its defaults (G8). Nothing is converted: `"3"` is no integer, and
 * null is refused unless the schema allows it.
 *
 * @returns the value with defaults, a copy; and every problem with its pointer
 * @throws {Error} when the schema itself is broken, which publish has ruled out
 */
export function validateInput(schema: JsonSchema | undefined, value: Json): { value: Json; issues: Issue[] } {
  if (schema === undefined || schema === true) return { value, issues: [] };
  const copy = copyJson(value);
  const validate = compiled(fillingChecker, schema);
  validate(copy);
  return { value: copy, issues: issuesFrom(validate.errors, 'The value') };
}

/** The value with the schema's defaults filled in, valid or not; the given value stays as it is (G8). */
export const applyDefaults = (schema: JsonSchema | undefined, value: Json): Json =>
  validateInput(schema, value).value;

/** Every problem of a value against a user's JSON Schema, nothing filled in, nothing copied. */
export function checkValue(schema: JsonSchema | undefined, value: Json): Issue[] {
  if (schema === undefined || schema === true) return [];
  const validate = compiled(strictChecker, schema);
  return validate(value) ? [] : issuesFrom(validate.errors, 'The value');
}

function copyJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyJson(inner)]));
}

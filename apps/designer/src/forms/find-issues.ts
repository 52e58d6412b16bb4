import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { Json, JsonObject, JsonSchema } from '@pawl/dag-core';

/** One thing that does not fit, and where. */
export interface FormIssue {
  readonly path: readonly string[];
  /** The keyword of JSON Schema that does not hold; `json`: the text is not JSON. */
  readonly keyword: string;
  /** What the keyword demands, where it is a number or a text. */
  readonly limit?: string;
  /** In English, for keywords without a text of their own. */
  readonly message: string;
}

/** Stands in a form for text that is not JSON yet. */
export const unparsed = (text: string): JsonObject => ({ $unparsed: text });

/** What of a value does not fit its schema. Nothing is compiled: the policy of the page forbids it. */
export function findIssues(schema: JsonSchema | undefined, value: Json | undefined): FormIssue[] {
  const broken = unparsedIn(value, []);
  if (broken.length > 0) return broken;
  if (schema === undefined || schema === true) return [];
  const { errors } = new Validator(schema as Schema, '2020-12', false).validate(
    withoutSecrets(value ?? null),
  );
  return leavesOf(errors).map((error) => issueOf(schema, error));
}

/** Of the errors of one place only the innermost; of alternatives only that none fits. */
function leavesOf(errors: readonly OutputUnit[]): OutputUnit[] {
  const alternatives = errors.filter(({ keyword }) => ['anyOf', 'oneOf', 'not'].includes(keyword));
  const isBelow = (one: OutputUnit, other: OutputUnit) =>
    one.keywordLocation.startsWith(`${other.keywordLocation}/`) ||
    (one.keyword === 'false' && one.instanceLocation.startsWith(`${other.instanceLocation}/`));
  return errors.filter(
    (one) =>
      !alternatives.some((other) => isBelow(one, other)) &&
      (alternatives.includes(one) || !errors.some((other) => isBelow(other, one))),
  );
}

function issueOf(
  schema: JsonSchema,
  { keyword, keywordLocation, instanceLocation, error }: OutputUnit,
): FormIssue {
  const path = partsOf(instanceLocation);
  // The place of what is missing is the place where it is missed.
  const missing = keyword === 'required' ? /"(.*)"/.exec(error)?.[1] : undefined;
  const limit = at(schema, partsOf(keywordLocation));
  return {
    path: missing === undefined ? path : [...path, missing],
    keyword,
    ...((typeof limit === 'string' || typeof limit === 'number') && { limit: String(limit) }),
    message: error,
  };
}

const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inner, part) => (inner as Record<string, unknown> | undefined)?.[part], value);

function unparsedIn(value: Json | undefined, path: readonly string[]): FormIssue[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('$unparsed' in value) return [{ path, keyword: 'json', message: 'This is not JSON' }];
  return Object.entries(value).flatMap(([name, inner]) => unparsedIn(inner as Json, [...path, name]));
}

/** A reference to a secret stands for a text. */
function withoutSecrets(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value.$secret === 'string' && Object.keys(value).length === 1) return 'secret';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutSecrets(inner as Json)]));
}

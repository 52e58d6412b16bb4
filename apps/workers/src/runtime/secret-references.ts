import type { Json, JsonObject } from '@pawl/dag-core';

// Rules kept here: V13 what is recorded of a secret is a reference, `{ "$secret": "NAME" }`; the value takes its place in memory,
// right before the tool is called, and nowhere else. Only a template of the flow can make one: what input, tools or models say is
// data, and a reference in it is refused. While a template is filled its references carry a mark that no data can know.

const REFERENCE = /\{"\$secret":"([^"\\]+)"\}/g;

/** What stands for secrets while a template is filled. */
export const markedReferences = (names: readonly string[], mark: string): Record<string, JsonObject> =>
  Object.fromEntries(names.map((name) => [name, { $secret: `${mark}${name}` }]));

/**
 * The filled value with the references that its template made, as they are recorded.
 *
 * @param mark of these references; undefined when the template makes none
 * @throws {SecretForgedError} when the value holds a reference that the template did not make
 */
export function withOwnReferences(value: Json, mark: string | undefined): Json {
  if (typeof value === 'string')
    return value.includes('{"$secret":')
      ? value.replace(REFERENCE, (_, name: string) => JSON.stringify({ $secret: ownName(name, mark) }))
      : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return eachOf(value, mark);
  const { $secret, ...rest } = value;
  if (typeof $secret === 'string' && Object.keys(rest).length === 0)
    return { $secret: ownName($secret, mark) };
  return membersOf(value, mark);
}

/** Nothing is copied where nothing changes: arguments may be large, and few hold references. */
function eachOf(list: readonly Json[], mark: string | undefined): Json {
  const own = list.map((inner) => withOwnReferences(inner, mark));
  return own.some((inner, i) => inner !== list[i]) ? own : (list as Json[]);
}

function membersOf(value: JsonObject, mark: string | undefined): Json {
  const own = Object.entries(value).map(([key, inner]) => [key, withOwnReferences(inner, mark)] as const);
  return own.some(([key, inner]) => inner !== value[key]) ? Object.fromEntries(own) : value;
}

function ownName(name: string, mark: string | undefined): string {
  if (mark === undefined || !name.startsWith(mark)) throw new SecretForgedError();
  return name.slice(mark.length);
}

/** Thrown when data names a secret the way a template of the flow does. */
class SecretForgedError extends Error {
  readonly code = 'secret_not_allowed';
  constructor() {
    super(
      'The arguments hold {"$secret": …} that no template of the flow made. Data may not name secrets; give that member another name.',
    );
  }
}

/** Names of the secrets that a value refers to. */
export function secretNames(value: Json): string[] {
  const text = JSON.stringify(value);
  if (!text.includes('$secret')) return [];
  const names = new Set<string>();
  for (const [, name] of text.replaceAll('\\"', '"').matchAll(REFERENCE))
    if (name !== undefined) names.add(name);
  return [...names];
}

/** The value with every reference replaced: alone by the secret itself, inside text by its text. */
export function withSecrets(value: Json, secret: (name: string) => string): Json {
  if (typeof value === 'string')
    return value.includes('{"$secret":')
      ? value.replace(REFERENCE, (_, name: string) => secret(name))
      : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => withSecrets(inner, secret));
  const { $secret, ...rest } = value;
  if (typeof $secret === 'string' && Object.keys(rest).length === 0) return secret($secret);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withSecrets(inner, secret)]));
}

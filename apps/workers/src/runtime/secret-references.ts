import type { Json, JsonObject } from '@pawl/dag-core';

// Rules kept here: V13 what is recorded of a secret is a reference, `{ "$secret": "NAME" }`; the value takes its place in memory,
// right before the tool is called, and nowhere else.

const REFERENCE = /\{"\$secret":"([^"\\]+)"\}/g;

/** What stands for a secret in anything that is recorded. */
export const secretReference = (name: string): JsonObject => ({ $secret: name });

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

import { canonicalJson, type Json } from '@pawl/dag-core';
import { isMembers } from '../editor/index.ts';
import { identityOf, LongValue, type Value } from '../run/values.ts';

/**
 * A text that is the same for values that mean the same in two runs: an artifact is what is in it, and not the id that each run gives
 * it anew.
 */
export const likenessOf = (value: Value | undefined): string =>
  value === undefined || value instanceof LongValue ? identityOf(value) : canonicalJson(withoutIds(value));

function withoutIds(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (!isMembers(value)) return value;
  const isArtifact = typeof value.artifactId === 'string' && typeof value.hash === 'string';
  const members = Object.entries(value).filter(([name]) => !(isArtifact && name === 'artifactId'));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutIds(member as Json)]));
}

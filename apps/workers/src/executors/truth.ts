import type { Json } from '@pawl/dag-core';

/** The truth of JSONata's `$boolean`: empty strings, lists and objects, zero and null are false. */
export function isTrue(value: Json): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

import type { Json, JsonObject } from '@pawl/tool-sdk';

export interface MergeOptions {
  readonly arrays: 'replace' | 'concat';
  /** `delete`: a null in `patch` takes the member away, as in RFC 7396. */
  readonly nulls: 'keep' | 'delete';
}

/** `patch` merged into `target`; neither is changed. */
export function mergeJson(target: Json, patch: Json, options: MergeOptions): Json {
  if (Array.isArray(patch) && Array.isArray(target) && options.arrays === 'concat')
    return [...target, ...patch];
  if (!isObject(patch)) return patch;
  const members = new Map<string, Json>(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null && options.nulls === 'delete') members.delete(key);
    else members.set(key, mergeJson(members.get(key) ?? null, value, options));
  }
  return Object.fromEntries(members);
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import { pointerTo } from '@pawl/dag-core';
import { isMembers } from '../document/json-path.ts';

/** Pointers of what differs between two values. The order of members is no difference; lists of other lengths differ as a whole. */
export function differences(before: unknown, after: unknown, pointer = ''): string[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, at) => differences(item, after[at], pointerTo(pointer, at)));
  if (!isMembers(before) || !isMembers(after)) return [pointer];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const isInBoth = Object.hasOwn(before, key) && Object.hasOwn(after, key);
    const at = pointerTo(pointer, key);
    return isInBoth ? differences(before[key], after[key], at) : [at];
  });
}

/** True for values that say the same. */
export const saySame = (one: unknown, other: unknown): boolean => differences(one, other).length === 0;

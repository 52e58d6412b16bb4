export { pointerParts } from '@pawl/dag-core';

/** Where a value stands in a document: names of members and places in lists. */
export type Path = readonly (string | number)[];

type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands there; undefined when nothing does. */
export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Members)[part];
  }
  return found;
}

/** `value` with what stands at `path` changed. What is not on the path is shared; nothing changed, the same value comes back. */
export function changeAt<T>(value: T, path: Path, change: (old: unknown) => unknown): T {
  const [part, ...rest] = path;
  if (part === undefined) return change(value) as T;
  const old = (value as Members)[part];
  const changed = changeAt(old, rest, change);
  if (changed === old) return value;
  if (Array.isArray(value)) return value.with(Number(part), changed) as T;
  return { ...value, [part]: changed };
}

/** An object with one more member, at a place among the others. */
export const withMember = <T extends object>(members: T, key: string, value: unknown, at?: number): T =>
  Object.fromEntries(Object.entries(members).toSpliced(at ?? Number.POSITIVE_INFINITY, 0, [key, value])) as T;

/** An object without a member. */
export function withoutMember<T extends object>(members: T, key: string): T {
  if (!Object.hasOwn(members, key)) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== key)) as T;
}

/** The list with its items changed; the same list when none was. */
export function mapShared<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = list.map(change);
  return changed.every((item, at) => item === list[at]) ? list : changed;
}

/** The list without some items; the same list when none of them is there. */
export const without = <T>(list: readonly T[], isGone: (item: T) => boolean): readonly T[] =>
  list.some(isGone) ? list.filter((item) => !isGone(item)) : list;

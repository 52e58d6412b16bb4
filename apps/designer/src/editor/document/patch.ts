import { changeAt, isMembers, type Path, withMember, withoutMember } from './json-path.ts';

// Rules kept here: D1 what was undone is byte for byte what was there before, the order of members included; D2 what is not
// touched keeps its identity.

/** One change of a JSON value, as data. */
export type Patch =
  /** Another value in the place of the one that is there. */
  | { readonly do: 'put'; readonly path: Path; readonly value: unknown }
  /** A member that is not there yet; `at` is its place among the members. */
  | { readonly do: 'add'; readonly path: Path; readonly at: number; readonly value: unknown }
  | { readonly do: 'drop'; readonly path: Path }
  /** Items out of a list and into it. */
  | {
      readonly do: 'splice';
      readonly path: Path;
      readonly at: number;
      readonly drop: number;
      readonly insert: readonly unknown[];
    };

/** The value with the patches applied, one after the other. */
export const applyPatches = <T>(value: T, patches: readonly Patch[]): T => patches.reduce(applyPatch, value);

function applyPatch<T>(value: T, patch: Patch): T {
  switch (patch.do) {
    case 'put':
      return changeAt(value, patch.path, () => patch.value);
    case 'splice':
      return changeAt(value, patch.path, (list) =>
        (list as unknown[]).toSpliced(patch.at, patch.drop, ...patch.insert),
      );
    case 'add':
    case 'drop': {
      const key = String(patch.path.at(-1));
      return changeAt(value, patch.path.slice(0, -1), (members) =>
        patch.do === 'drop'
          ? withoutMember(members as object, key)
          : withMember(members as object, key, patch.value, patch.at),
      );
    }
  }
}

/** What leads from one value to the other. Shared parts are not looked into. */
export function patchesBetween(before: unknown, after: unknown): Patch[] {
  const patches: Patch[] = [];
  compare(before, after, [], patches);
  return patches;
}

/** `after`, sharing with `before` whatever is the same in both. */
export const shareWith = <T>(before: unknown, after: T): T =>
  applyPatches(before, patchesBetween(before, after)) as T;

function compare(before: unknown, after: unknown, path: Path, patches: Patch[]): void {
  if (Object.is(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, patches);
  else if (isMembers(before) && isMembers(after) && keepOrder(before, after))
    compareMembers(before, after, path, patches);
  else patches.push({ do: 'put', path, value: after });
}

/** The members that both have stand in one order. */
function keepOrder(before: object, after: object): boolean {
  const common = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  return Object.keys(after)
    .filter((key) => Object.hasOwn(before, key))
    .every((key, at) => key === common[at]);
}

function compareMembers(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: Path,
  patches: Patch[],
): void {
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key)) patches.push({ do: 'drop', path: [...path, key] });
  Object.keys(after).forEach((key, at) => {
    if (Object.hasOwn(before, key)) compare(before[key], after[key], [...path, key], patches);
    else patches.push({ do: 'add', path: [...path, key], at, value: after[key] });
  });
}

/** Items are told apart by their ids, those without one by identity. */
const nameOf = (item: unknown): unknown =>
  isMembers(item) && typeof item.id === 'string' ? `id ${item.id}` : item;

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: Path,
  patches: Patch[],
): void {
  const splice = (at: number, drop: number, insert: readonly unknown[]) =>
    patches.push({ do: 'splice', path, at, drop, insert });
  const [old, now] = [new Set(before.map(nameOf)), new Set(after.map(nameOf))];
  let from = 0;
  let at = 0;
  while (from < before.length && at < after.length) {
    if (nameOf(before[from]) === nameOf(after[at])) {
      compare(before[from], after[at], [...path, at], patches);
      from += 1;
      at += 1;
    } else if (!now.has(nameOf(before[from]))) {
      splice(at, 1, []);
      from += 1;
    } else if (!old.has(nameOf(after[at]))) {
      splice(at, 0, [after[at]]);
      at += 1;
    } else break; // the order changed: the rest is given anew
  }
  if (from < before.length || at < after.length) splice(at, before.length - from, after.slice(at));
}

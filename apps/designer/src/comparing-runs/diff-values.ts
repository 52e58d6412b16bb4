import { canonicalJson, type Json, pointerTo } from '@pawl/dag-core';
import { diffArrays } from 'diff';
import { isMembers } from '../editor/index.ts';

// Rules kept here: C5 what differs between two values, told by place, after what is the same in both.

/** One difference of two JSON values, in the words of RFC 6902. Pointers of what is gone are those of the left value. */
export type ValueChange =
  | { readonly op: 'add'; readonly pointer: string; readonly right: Json }
  | { readonly op: 'remove'; readonly pointer: string; readonly left: Json }
  | { readonly op: 'replace'; readonly pointer: string; readonly left: Json; readonly right: Json };

/** Longest way between two lists that is looked for, in items; lists further apart are compared place by place. */
const FURTHEST = 1_000;

/** What leads from one value to the other. The order of members is no difference; items of lists that are in both are found again. */
export function changesOf(left: Json, right: Json, pointer = ''): ValueChange[] {
  if (Array.isArray(left) && Array.isArray(right)) return changesOfLists(left, right, pointer);
  if (isMembers(left) && isMembers(right)) return changesOfMembers(left, right, pointer);
  return canonicalJson(left) === canonicalJson(right) ? [] : [{ op: 'replace', pointer, left, right }];
}

type Members = Readonly<Record<string, Json>>;

function changesOfMembers(left: Members, right: Members, pointer: string): ValueChange[] {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key): ValueChange[] => {
    const at = pointerTo(pointer, key);
    if (!Object.hasOwn(right, key)) return [{ op: 'remove', pointer: at, left: left[key]! }];
    if (!Object.hasOwn(left, key)) return [{ op: 'add', pointer: at, right: right[key]! }];
    return changesOf(left[key]!, right[key]!, at);
  });
}

/** What was taken out where something was put in is one item that changed. */
function changesOfLists(left: readonly Json[], right: readonly Json[], pointer: string): ValueChange[] {
  const [lines, others] = [left.map(canonicalJson), right.map(canonicalJson)];
  const parts = diffArrays(lines, others, { maxEditLength: FURTHEST }) ?? [
    { removed: true, added: false, count: left.length },
    { removed: false, added: true, count: right.length },
  ];
  const changes: ValueChange[] = [];
  let [from, to] = [0, 0];
  for (let at = 0; at < parts.length; at += 1) {
    const { added, removed, count } = parts[at]!;
    if (!added && !removed) {
      from += count;
      to += count;
      continue;
    }
    const next = removed && parts[at + 1]?.added ? parts[at + 1]!.count : 0;
    if (next > 0) at += 1;
    const [gone, come] = added ? [0, count] : [count, next];
    const both = Math.min(gone, come);
    for (let step = 0; step < both; step += 1)
      changes.push(...changesOf(left[from + step]!, right[to + step]!, pointerTo(pointer, from + step)));
    for (let step = both; step < gone; step += 1)
      changes.push({ op: 'remove', pointer: pointerTo(pointer, from + step), left: left[from + step]! });
    for (let step = both; step < come; step += 1)
      changes.push({ op: 'add', pointer: pointerTo(pointer, to + step), right: right[to + step]! });
    from += gone;
    to += come;
  }
  return changes;
}

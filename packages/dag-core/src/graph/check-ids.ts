import { errorAt, type Issue } from './issue.ts';
import type { FoundNode, FoundScope } from './read-scopes.ts';

// Rules kept here: G3 ids are unique in the whole document and never a name that JavaScript or JSONata takes for itself.

/** Ids that nobody can give. */
export const RESERVED_IDS: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
  'true',
  'false',
  'null',
]);

/** Finds reserved and repeated ids; the index keeps the first node of each id. */
export function checkIds(scopes: readonly FoundScope[]): { byId: Map<string, FoundNode>; issues: Issue[] } {
  const byId = new Map<string, FoundNode>();
  const issues: Issue[] = [];
  for (const node of scopes.flatMap((scope) => scope.nodes)) {
    const pointer = `${node.pointer}/id`;
    if (RESERVED_IDS.has(node.id))
      issues.push(errorAt('id_reserved', pointer, `"${node.id}" is reserved; choose another id`));
    const first = byId.get(node.id);
    if (!first) byId.set(node.id, node);
    else {
      issues.push(
        errorAt(
          'id_duplicate',
          pointer,
          `The id "${node.id}" is taken by ${first.pointer}; ids are unique in the whole flow, inner graphs included`,
        ),
      );
    }
  }
  return { byId, issues };
}

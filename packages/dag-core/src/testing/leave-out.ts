import type { InnerGraph, JoinRule } from '../graph/document.ts';
import type { PlannedNode } from './planned-node.ts';

// Rules kept here: Y5 what needs a node that takes no part takes none itself.

/** Marks, one after the other, the nodes that could not do without what is left out. */
export function leaveOutWhatNeeds(
  { nodes, edges }: InnerGraph,
  planned: Map<string, PlannedNode>,
  reads: ReadonlyMap<string, ReadonlySet<string>>,
  hasOutput: (id: string) => boolean,
): void {
  // What stands before the part and has an output is live; without one its edges count for nothing.
  const isMissing = (id: string) => planned.get(id)?.why === 'outside' && !hasOutput(id);
  const isOut = (id: string) => {
    const why = planned.get(id)?.why;
    return why !== undefined && why !== 'outside';
  };
  const into = new Map<string, string[]>();
  for (const { from, to } of edges)
    if (planned.has(from) && !isMissing(from)) into.set(to, [...(into.get(to) ?? []), from]);
  for (let before = -1, out = 0; before !== out; ) {
    before = out;
    for (const { id, join } of nodes) {
      const own = planned.get(id)!;
      if (own.does !== 'computes' && own.does !== 'calls') continue;
      const because = [...reads.get(id)!].find(isOut) ?? unsatisfied(into.get(id) ?? [], join, isOut);
      if (because === undefined) continue;
      planned.set(id, { ...own, does: 'nothing', why: 'needs', because });
      out += 1;
    }
  }
}

/** The source without which a join can never be satisfied. */
function unsatisfied(
  sources: readonly string[],
  join: JoinRule | undefined,
  isOut: (id: string) => boolean,
): string | undefined {
  const first = sources.find(isOut);
  return join === 'every' || sources.every(isOut) ? first : undefined;
}

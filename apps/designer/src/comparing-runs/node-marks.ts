import type { RunComparison } from './compare-runs.ts';

/** How a node fared in two runs, all its node runs together. `first`: here they part. */
export type NodeMark = 'first' | 'same' | 'changed' | 'left' | 'right';

/** The marks of the nodes that a run reached, by their ids in the left version. */
export function nodeMarks({ pairs, first }: RunComparison): ReadonlyMap<string, NodeMark> {
  const marks = new Map<string, NodeMark>();
  for (const pair of pairs) {
    const { nodeId: id } = pair;
    const mark = !pair.right ? 'left' : !pair.left ? 'right' : pair.differs.length > 0 ? 'changed' : 'same';
    const before = marks.get(id);
    marks.set(id, before === undefined || before === mark ? mark : 'changed');
  }
  if (first) marks.set(first.nodeId, 'first');
  return marks;
}

/** The node run to look at for a node: where the runs part, else one that differs, else any. */
export function pairOfNode({ pairs, first }: RunComparison, id: string): string | undefined {
  const own = pairs.filter(({ nodeId }) => nodeId === id);
  const told = own.find((pair) => pair === first) ?? own.find(({ differs }) => differs.length > 0) ?? own[0];
  return told?.path;
}

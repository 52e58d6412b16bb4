import { type NodeConfig, readingsOf } from '@pawl/dag-core';

const known = new WeakMap<NodeConfig, readonly string[]>();

/** What the expressions of a node read: ids of nodes, and `input`, `item` and the like, each once. */
export function readsOf(node: NodeConfig): readonly string[] {
  let reads = known.get(node);
  if (!reads) {
    const roots = readingsOf(node).map((reading) => reading.node ?? reading.root);
    reads = [...new Set(roots)];
    known.set(node, reads);
  }
  return reads;
}

import type { NodeView } from '../expression/scope.ts';
import type { FlowGraph } from '../graph/graph-node.ts';

/** What can be read of the nodes before the part that a test run tries (Y3): by node, and nearer by path. */
export function viewsBefore({ document: { test } }: FlowGraph, scopePath: string): Record<string, NodeView> {
  const views: Record<string, NodeView> = {};
  for (const [key, { output, isBefore }] of Object.entries(test?.outputs ?? {})) {
    const cut = key.lastIndexOf('/');
    const id = key.slice(cut + 1);
    const isSeen = cut < 0 ? !Object.hasOwn(views, id) : `${scopePath}/`.startsWith(`${key.slice(0, cut)}/`);
    if (isBefore && isSeen) views[id] = { status: 'succeeded', output };
  }
  return views;
}

import type { NodeConfig } from '@pawl/dag-core';
import { type Graph, nodesById } from '../document/graph.ts';
import { neighboursOf } from './ways.ts';

/**
 * The nodes of a graph as they follow each other: every edge leads down the list, and what follows a node stands right below it where it
 * can. Nodes in a circle, which a document from elsewhere may have, come last, in their own order.
 */
export function flowOrder(graph: Graph): NodeConfig[] {
  const byId = nodesById(graph);
  const { next, previous } = neighboursOf(graph);
  const ids = [...byId.keys()].toReversed();
  const missing = new Map(
    ids.map((id) => [id, (previous.get(id) ?? []).filter((each) => byId.has(each)).length]),
  );
  const open = ids.filter((id) => missing.get(id) === 0).toReversed();
  const order = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    order.add(id);
    for (const other of (next.get(id) ?? []).toReversed()) {
      missing.set(other, missing.get(other)! - 1);
      if (missing.get(other) === 0) open.push(other);
    }
  }
  return [...order, ...ids.filter((id) => !order.has(id))].map((id) => byId.get(id)!);
}

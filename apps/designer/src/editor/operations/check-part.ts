import type { FlowDocument } from '@pawl/dag-core';
import { checkPort } from '../connecting/check-connection.ts';
import { shortestWay } from '../connecting/ways.ts';
import { edgesOf, everyNode, type Graph, idsOf, innerGraph, nodesById, nodesOf } from '../document/graph.ts';
import { idFault } from '../document/new-id.ts';
import type { Refusal } from './refusal.ts';

/** Whether nodes with the edges between them can come into a document: free ids, and edges that hold inside. */
export function checkPart(document: FlowDocument, part: Graph): Refusal | undefined {
  const taken = idsOf(document);
  for (const { node } of everyNode(part)) {
    const code = idFault(node.id) ?? (taken.has(node.id) ? 'id_duplicate' : undefined);
    if (code) return { code, id: node.id };
    taken.add(node.id);
  }
  return checkInside(part);
}

function checkInside(graph: Graph): Refusal | undefined {
  const drawn = new Set<string>();
  for (const edge of edgesOf(graph)) {
    const from = nodesById(graph).get(edge.from);
    if (!from) return { code: 'node_unknown', node: edge.from, graph: [] };
    if (!nodesById(graph).has(edge.to)) return { code: 'node_unknown', node: edge.to, graph: [] };
    if (edge.from === edge.to) return { code: 'edge_self_loop', node: edge.from };
    const refused = checkPort(from, edge.port ?? '');
    if (refused) return refused;
    const name = JSON.stringify([edge.from, edge.port ?? '', edge.to]);
    if (drawn.has(name)) return { code: 'edge_duplicate', edge };
    drawn.add(name);
  }
  for (const { from, to } of edgesOf(graph)) {
    const way = shortestWay(graph, to, from);
    if (way) return { code: 'cycle', loop: [from, ...way], between: way };
  }
  for (const node of nodesOf(graph)) {
    const body = innerGraph(node);
    const refused = body && checkInside(body);
    if (refused) return refused;
  }
  return undefined;
}

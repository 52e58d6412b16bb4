import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import { edgesOf, type Graph, idsOf, innerGraph, isSameEdge, nodesOf, renameAll } from '../editor/index.ts';

/**
 * One flow that holds what either version holds, by the ids of the left one, for a picture of both. Where the right one adds nodes,
 * nobody has said where they stand beside the others: all are to be placed anew.
 */
export function unionFlow(
  left: FlowDocument,
  right: FlowDocument,
  renames: ReadonlyMap<string, string>,
): FlowDocument {
  const other = renames.size === 0 ? right : renameAll(right, renames);
  const known = idsOf(left);
  const union = unionGraph(left, other, known);
  const isLarger = idsOf(union).size > known.size;
  return { ...left, ...union, ...(isLarger && { layout: {} }) };
}

/** @param known ids that the left version has, in whichever graph */
function unionGraph(left: Graph, right: Graph, known: ReadonlySet<string>): Graph {
  const others = new Map(nodesOf(right).map((node) => [node.id, node]));
  const nodes = [
    ...nodesOf(left).map((node) => unionNode(node, others.get(node.id), known)),
    ...nodesOf(right)
      .filter(({ id }) => !known.has(id))
      .map((node) => withoutKnown(node, known)),
  ];
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = [...edgesOf(left)];
  for (const edge of edgesOf(right)) if (!edges.some((each) => isSameEdge(each, edge))) edges.push(edge);
  return { nodes, edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}

function unionNode(node: NodeConfig, other: NodeConfig | undefined, known: ReadonlySet<string>): NodeConfig {
  const [body, more] = [innerGraph(node), other && innerGraph(other)];
  if (!body || !more) return node;
  return { ...node, body: unionGraph(body, more, known) } as NodeConfig;
}

/** A container that is new may hold what stood elsewhere: that is drawn where it was. */
function withoutKnown(node: NodeConfig, known: ReadonlySet<string>): NodeConfig {
  const body = innerGraph(node);
  return body ? ({ ...node, body: unionGraph({ nodes: [], edges: [] }, body, known) } as NodeConfig) : node;
}

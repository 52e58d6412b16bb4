import type { EdgeConfig, FlowDocument, NodeConfig } from '@pawl/dag-core';
import {
  edgesOf,
  everyNode,
  findNode,
  type Graph,
  type GraphPath,
  graphAt,
  isSameEdge,
  nodesById,
} from '../document/graph.ts';
import { knownPorts } from '../document/node-size.ts';
import type { Refusal } from '../operations/refusal.ts';
import { downstreamOf, nodesBetween, shortestWay, upstreamOf } from './ways.ts';

// Rules kept here: D4 no edge closes a circle, leads nowhere, is drawn twice or leaves its graph (SPEC G4), and who refuses one says why.

/** Why an edge cannot be drawn; undefined when it can. */
export function checkConnection(
  document: FlowDocument,
  graph: GraphPath,
  edge: EdgeConfig,
): Refusal | undefined {
  const refused = checkEnds(document, graph, edge);
  if (refused) return refused;
  const found = graphAt(document, graph)!;
  return checkDrawn(found, edge) ?? checkLoop(found, edge);
}

/** Whether both ends of an edge are in the graph, and it has a port to leave by. */
export function checkEnds(document: FlowDocument, graph: GraphPath, edge: EdgeConfig): Refusal | undefined {
  const found = graphAt(document, graph);
  if (!found) return { code: 'graph_unknown', graph };
  const from = nodesById(found).get(edge.from);
  if (!from) return stranger(document, graph, edge.from, edge.to);
  if (edge.from === edge.to) return { code: 'edge_self_loop', node: edge.from };
  if (!nodesById(found).has(edge.to)) return stranger(document, graph, edge.to, edge.from);
  return checkPort(from, edge.port ?? '');
}

/** An end that is not in the graph: in another one, or nowhere. */
function stranger(document: FlowDocument, graph: GraphPath, node: string, other: string): Refusal {
  const found = findNode(document, node);
  if (!found) return { code: 'node_unknown', node, graph };
  return { code: 'edge_crosses_scope', node, graph: found.graph, other, otherGraph: graph };
}

/** Whether an edge can leave a node by this port; a node too broken to say what ports it has is believed. */
export function checkPort(node: NodeConfig, port: string): Refusal | undefined {
  const ports = knownPorts(node);
  if (!ports || ports.includes(port)) return undefined;
  return { code: 'port_unknown', node: node.id, port, ports };
}

function checkDrawn(graph: Graph, edge: EdgeConfig): Refusal | undefined {
  const drawn = edgesOf(graph).find((each) => isSameEdge(each, edge));
  return drawn && { code: 'edge_duplicate', edge: drawn };
}

function checkLoop(graph: Graph, { from, to }: EdgeConfig): Refusal | undefined {
  const way = shortestWay(graph, to, from);
  return way && { code: 'cycle', loop: [from, ...way], between: nodesBetween(graph, to, from) };
}

/** Nodes at which no edge that leaves `from` by this port can end. Made once per drag, asked at every move of the pointer. */
export function illegalTargets(
  document: FlowDocument,
  graph: GraphPath,
  from: string,
  port = '',
): Set<string> {
  const found = graphAt(document, graph);
  const illegal = new Set(strangersTo(document, graph)).add(from);
  if (!found) return illegal;
  for (const id of upstreamOf(found, from)) illegal.add(id);
  for (const edge of edgesOf(found))
    if (edge.from === from && (edge.port ?? '') === port) illegal.add(edge.to);
  return illegal;
}

/** Nodes from which no edge can lead to `to`. */
export function illegalSources(document: FlowDocument, graph: GraphPath, to: string): Set<string> {
  const found = graphAt(document, graph);
  const illegal = new Set(strangersTo(document, graph)).add(to);
  if (found) for (const id of downstreamOf(found, to)) illegal.add(id);
  return illegal;
}

function* strangersTo(document: FlowDocument, graph: GraphPath): Generator<string> {
  for (const found of everyNode(document)) if (!isSamePath(found.graph, graph)) yield found.node.id;
}

const isSamePath = (one: GraphPath, other: GraphPath): boolean =>
  one.length === other.length && one.every((id, at) => id === other[at]);

import { bodyOf, type EdgeConfig, type FlowDocument, type NodeConfig } from '@pawl/dag-core';
import { changeAt, isMembers, type Path } from './json-path.ts';

/** Which graph of a document is meant: the ids of the containers that lead to it, none for the flow itself. */
export type GraphPath = readonly string[];

/** The flow itself, or the body of a map or loop. */
export interface Graph {
  readonly nodes: readonly NodeConfig[];
  readonly edges: readonly EdgeConfig[];
}

const lists = new WeakMap<object, readonly never[]>();

/** A draft may be unfinished: what is no node or edge is not seen, and stays where it is. */
function seen<T>(list: unknown, isOne: (item: unknown) => boolean): readonly T[] {
  if (!Array.isArray(list)) return [];
  let found = lists.get(list);
  if (!found) {
    found = (list.every(isOne) ? list : list.filter(isOne)) as never[];
    lists.set(list, found);
  }
  return found;
}

/** The nodes of a graph. */
export const nodesOf = (graph: Pick<Graph, 'nodes'>): readonly NodeConfig[] =>
  seen(graph.nodes, (node) => isMembers(node) && typeof node.id === 'string');

/** The edges of a graph. */
export const edgesOf = (graph: Pick<Graph, 'edges'>): readonly EdgeConfig[] =>
  seen(
    graph.edges,
    (edge) => isMembers(edge) && typeof edge.from === 'string' && typeof edge.to === 'string',
  );

/** The graph that a container holds. */
export function innerGraph(node: NodeConfig): Graph | undefined {
  const body: unknown = bodyOf(node);
  return isMembers(body) ? (body as unknown as Graph) : undefined;
}

const indexes = new WeakMap<object, ReadonlyMap<string, NodeConfig>>();

/** The nodes of a graph by their ids, the first where an id is taken twice. */
export function nodesById(graph: Graph): ReadonlyMap<string, NodeConfig> {
  const nodes = nodesOf(graph);
  let index = indexes.get(nodes);
  if (!index) {
    index = new Map(nodes.toReversed().map((node) => [node.id, node]));
    indexes.set(nodes, index);
  }
  return index;
}

/** Where a graph stands in its document; undefined when there is none. */
function graphPlace(document: FlowDocument, graph: GraphPath): Path | undefined {
  const place: (string | number)[] = [];
  let found: Graph = document;
  for (const id of graph) {
    const container = nodesById(found).get(id);
    const body = container && innerGraph(container);
    if (!body) return undefined;
    place.push('nodes', found.nodes.indexOf(container), 'body');
    found = body;
  }
  return place;
}

/** The graph that is meant; undefined when there is none. */
export function graphAt(document: FlowDocument, graph: GraphPath): Graph | undefined {
  let found: Graph | undefined = document;
  for (const id of graph) {
    const container: NodeConfig | undefined = found && nodesById(found).get(id);
    found = container && innerGraph(container);
  }
  return found;
}

/** The document with one of its graphs changed; every other graph, and every container beside the way, is shared. */
export function changeGraph(
  document: FlowDocument,
  graph: GraphPath,
  change: (graph: Graph) => Graph,
): FlowDocument {
  const place = graphPlace(document, graph);
  if (!place) return document;
  return changeAt(document, place, (old) => {
    const whole = withLists(old as Graph);
    const changed = change(whole);
    const isSame = changed.nodes === whole.nodes && changed.edges === whole.edges;
    return isSame ? old : changed;
  });
}

/** A draft may lack its lists. */
function withLists(graph: Graph): Graph {
  const { nodes, edges } = graph as { nodes: unknown; edges: unknown };
  if (Array.isArray(nodes) && Array.isArray(edges)) return graph;
  return { ...graph, nodes: Array.isArray(nodes) ? nodes : [], edges: Array.isArray(edges) ? edges : [] };
}

/** A node where it was found. */
export interface PlacedNode {
  readonly node: NodeConfig;
  readonly graph: GraphPath;
}

/** Every node of a document, or of a part of it; outer ones first. */
export function* everyNode(graph: Graph, path: GraphPath = []): Generator<PlacedNode> {
  for (const node of nodesOf(graph)) yield { node, graph: path };
  for (const node of nodesOf(graph)) {
    const body = innerGraph(node);
    if (body) yield* everyNode(body, [...path, node.id]);
  }
}

/** The node with this id, wherever it is. */
export function findNode(document: FlowDocument, id: string): PlacedNode | undefined {
  for (const found of everyNode(document)) if (found.node.id === id) return found;
  return undefined;
}

/** All ids in use. */
export const idsOf = (graph: Graph): Set<string> => new Set([...everyNode(graph)].map(({ node }) => node.id));

/** True for two edges that are drawn the same way. */
export const isSameEdge = (one: EdgeConfig, other: EdgeConfig): boolean =>
  one.from === other.from && one.to === other.to && (one.port ?? '') === (other.port ?? '');

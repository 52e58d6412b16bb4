import type { EdgeConfig, FlowDocument, NodeConfig } from '@pawl/dag-core';
import { edgesOf, everyNode, findNode, type Graph, type GraphPath, innerGraph } from '../document/graph.ts';
import { isMembers } from '../document/json-path.ts';

/** A node apart from what it holds. */
export interface FlatNode {
  readonly id: string;
  readonly graph: GraphPath;
  /** The body of a container is empty. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** An edge, and the graph in which it is drawn. */
export interface PlacedEdge {
  readonly graph: GraphPath;
  readonly edge: EdgeConfig;
}

/** A document as a list of nodes and a list of edges, whichever graph they are in. */
export interface FlatFlow {
  readonly nodes: ReadonlyMap<string, FlatNode>;
  readonly edges: ReadonlyMap<string, PlacedEdge>;
}

export function flatten(document: FlowDocument): FlatFlow {
  const nodes = new Map<string, FlatNode>();
  const edges = new Map<string, PlacedEdge>();
  const readEdges = (graph: GraphPath, found: Graph) => {
    for (const edge of edgesOf(found)) edges.set(edgeName(graph, edge), { graph, edge });
  };
  readEdges([], document);
  for (const { node, graph } of everyNode(document)) {
    if (!nodes.has(node.id)) nodes.set(node.id, { id: node.id, graph, own: ownOf(node) });
    const body = innerGraph(node);
    if (body) readEdges([...graph, node.id], body);
  }
  return { nodes, edges };
}

/** An edge is the same edge wherever its container has gone. */
const edgeName = (graph: GraphPath, { from, port, to }: EdgeConfig): string =>
  JSON.stringify([graph.at(-1) ?? '', from, port ?? '', to]);

function ownOf(node: NodeConfig): FlatNode['own'] {
  const body = innerGraph(node);
  if (!body) return node as unknown as FlatNode['own'];
  return { ...node, body: { ...body, nodes: [], edges: [] } };
}

/** The flow's own settings: everything but what is drawn, of which the lists are empty. */
export function settingsOf(document: FlowDocument): Readonly<Record<string, unknown>> {
  const { layout: _layout, ...settings } = document;
  return { ...settings, nodes: [], edges: [] };
}

/** Puts a document together. Who is in a container that is not there is at the top. */
export function assemble(
  settings: Readonly<Record<string, unknown>>,
  nodes: readonly FlatNode[],
): FlowDocument {
  const inside = new Map<string, FlatNode[]>();
  const ids = new Set(nodes.map(({ id }) => id));
  for (const node of nodes) {
    const container = node.graph.at(-1) ?? '';
    const key = ids.has(container) ? container : '';
    inside.set(key, [...(inside.get(key) ?? []), node]);
  }
  const listOf = (container: string): NodeConfig[] => (inside.get(container) ?? []).map(whole);
  const whole = ({ id, own }: FlatNode): NodeConfig => {
    const config = isMembers(own.body) ? { ...own, body: { ...own.body, nodes: listOf(id) } } : own;
    return config as unknown as NodeConfig;
  };
  return { ...settings, nodes: listOf('') } as unknown as FlowDocument;
}

/** Where the graph that a container holds is now. */
export function graphOf(document: FlowDocument, container: string | undefined): GraphPath {
  const found = container === undefined ? undefined : findNode(document, container);
  return found ? [...found.graph, found.node.id] : [];
}

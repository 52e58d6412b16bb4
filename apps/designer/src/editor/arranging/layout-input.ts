import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import {
  edgesOf,
  type Graph,
  type GraphPath,
  graphAt,
  innerGraph,
  nodesById,
  nodesOf,
} from '../document/graph.ts';
import { type Box, lookOf } from '../document/layout.ts';
import { boundsOf, boxOf, GAP, knownPorts, PADDING, sizeOf } from '../document/node-size.ts';
import type { Arrange } from '../operations/operation.ts';

// Rules kept here: D16 tidy places what is chosen, and it stays where it was as a whole.

/** A graph as ELK takes it, and gives it back with places. */
export interface LayoutNode {
  id: string;
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  children?: LayoutNode[];
  ports?: { id: string; layoutOptions?: Record<string, string> }[];
  edges?: { id: string; sources: string[]; targets: string[] }[];
  layoutOptions?: Record<string, string>;
}

const ROOT = '$root';

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.spacing.nodeNode': '32',
  'elk.layered.spacing.nodeNodeBetweenLayers': String(GAP),
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
};

/** A graph to be laid out, open containers with what they hold; with `ids` only those nodes of it. */
export function layoutInput(
  document: FlowDocument,
  graph: GraphPath = [],
  ids?: readonly string[],
): LayoutNode {
  const found = graphAt(document, graph) ?? { nodes: [], edges: [] };
  const chosen = ids && new Set(ids);
  return { id: ROOT, layoutOptions: options, ...partOf(document, found, chosen) };
}

function partOf(
  document: FlowDocument,
  graph: Graph,
  chosen?: ReadonlySet<string>,
): Pick<LayoutNode, 'children' | 'edges'> {
  const isIn = (id: string) => (chosen ? chosen.has(id) : nodesById(graph).has(id));
  return {
    children: nodesOf(graph)
      .filter((node) => isIn(node.id))
      .map((node) => nodeOf(document, node)),
    edges: edgesOf(graph)
      .filter((edge) => isIn(edge.from) && isIn(edge.to))
      .map(({ from, port = '', to }) => ({
        id: `${from}:${port} ${to}`,
        sources: [isPortOf(graph, from, port) ? portId(from, port) : from],
        targets: [to],
      })),
  };
}

const portId = (node: string, port: string): string => `${node}:${port}`;

function isPortOf(graph: Graph, id: string, port: string): boolean {
  const node = nodesById(graph).get(id);
  return node !== undefined && (knownPorts(node) ?? []).includes(port);
}

/** Ports stand on the right in their order, so that their edges do not cross without need. */
function nodeOf(document: FlowDocument, node: NodeConfig): LayoutNode {
  const size = sizeOf(document, node);
  const body = lookOf(document, node.id).collapsed ? undefined : innerGraph(node);
  const ports = knownPorts(node) ?? [];
  const { left, top, right, bottom } = PADDING;
  const layoutOptions = {
    'elk.portConstraints': 'FIXED_ORDER',
    ...(body && { ...options, 'elk.padding': `[left=${left},top=${top},right=${right},bottom=${bottom}]` }),
  };
  return {
    id: node.id,
    ...(body ? partOf(document, body) : size),
    ports: ports.map((port, at) => ({
      id: portId(node.id, port),
      layoutOptions: { 'elk.port.side': 'EAST', 'elk.port.index': String(at) },
    })),
    layoutOptions,
  };
}

/** What puts nodes where the layout says; the upper left corner of all of them stays where it was. */
export function tidied(document: FlowDocument, graph: GraphPath, laidOut: LayoutNode): Arrange {
  const found = graphAt(document, graph) ?? { nodes: [], edges: [] };
  const children = laidOut.children ?? [];
  const before = boundsOf(
    children.flatMap(({ id }) => {
      const node = nodesById(found).get(id);
      return node ? [boxOf(document, node)] : [];
    }),
  );
  const after = boundsOf(children.map(boxIn));
  const places: Record<string, Partial<Box>> = {};
  placeIn(document, children, { x: before.x - after.x, y: before.y - after.y }, places);
  return { do: 'arrange', nodes: places, as: 'tidy' };
}

const boxIn = ({ x = 0, y = 0, width = 0, height = 0 }: LayoutNode): Box => ({ x, y, width, height });

/** A container that was resized by hand takes the size that it needs now. */
function placeIn(
  document: FlowDocument,
  nodes: readonly LayoutNode[],
  by: { readonly x: number; readonly y: number },
  places: Record<string, Partial<Box>>,
): void {
  for (const node of nodes) {
    const { x, y, width, height } = boxIn(node);
    const look = lookOf(document, node.id);
    const isResized = node.children !== undefined && (look.width !== undefined || look.height !== undefined);
    places[node.id] = { x: x + by.x, y: y + by.y, ...(isResized && { width, height }) };
    placeIn(document, node.children ?? [], { x: 0, y: 0 }, places);
  }
}

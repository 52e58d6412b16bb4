import type { EdgeConfig, FlowDocument } from '@pawl/dag-core';
import { checkPort } from '../connecting/check-connection.ts';
import { downstreamOf } from '../connecting/ways.ts';
import {
  changeGraph,
  edgesOf,
  type Graph,
  graphAt,
  isSameEdge,
  nodesById,
  nodesOf,
} from '../document/graph.ts';
import { type Box, type Point, placeNodes } from '../document/layout.ts';
import { boxOf, freePlace, GAP, knownPorts, sizeOf } from '../document/node-size.ts';
import { checkPart } from './check-part.ts';
import type { AddNode, Wire } from './operation.ts';
import { type Changed, type Refusal, refuse } from './refusal.ts';

/** Adds a node, wired and placed. */
export function addNode(document: FlowDocument, operation: AddNode): Changed<FlowDocument> {
  const { graph, node, wire } = operation;
  const found = graphAt(document, graph);
  if (!found) return refuse({ code: 'graph_unknown', graph });
  const refused = checkPart(document, { nodes: [node], edges: [] }) ?? checkWire(found, operation);
  if (refused) return refuse(refused);
  const added = changeGraph(document, graph, (old) => ({
    ...old,
    nodes: [...old.nodes, node],
    edges: wire ? wired(old, operation, wire) : old.edges,
  }));
  return placeAdded(added, found, operation);
}

/** The port by which a new node goes on: its first one. */
const onwardPort = ({ node }: AddNode): { port?: string } => {
  const [port] = knownPorts(node) ?? [];
  return port ? { port } : {};
};

function checkWire(graph: Graph, operation: AddNode): Refusal | undefined {
  const { wire } = operation;
  if (!wire) return undefined;
  const ends = 'into' in wire ? [wire.into.from, wire.into.to] : ['from' in wire ? wire.from : wire.to];
  for (const node of ends)
    if (!nodesById(graph).has(node)) return { code: 'node_unknown', node, graph: operation.graph };
  if ('from' in wire) return checkPort(nodesById(graph).get(wire.from)!, wire.port ?? '');
  if ('into' in wire && !edgesOf(graph).some((edge) => isSameEdge(edge, wire.into)))
    return { code: 'edge_unknown', edge: wire.into };
  return undefined;
}

function wired(graph: Graph, operation: AddNode, wire: Wire): Graph['edges'] {
  const { id } = operation.node;
  if ('from' in wire) return [...graph.edges, edge(wire.from, wire.port, id)];
  if ('to' in wire) return [...graph.edges, edge(id, onwardPort(operation).port, wire.to)];
  return graph.edges.flatMap((each) =>
    isSameEdge(each, wire.into)
      ? [{ ...each, to: id }, edge(id, onwardPort(operation).port, each.to)]
      : [each],
  );
}

const edge = (from: string, port: string | undefined, to: string): EdgeConfig =>
  port ? { from, port, to } : { from, to };

/** Places the new node, and moves what has to make room for it. */
function placeAdded(document: FlowDocument, before: Graph, operation: AddNode): FlowDocument {
  const { node, wire } = operation;
  const others = nodesOf(before).map((each) => boxOf(document, each));
  const size = sizeOf(document, node);
  const box = (id: string): Box => boxOf(document, nodesById(before).get(id)!);
  let at: Point;
  if (operation.at) at = operation.at;
  else if (!wire) at = freePlace({ x: 0, y: 0 }, size, others);
  else if ('to' in wire) at = freePlace(leftOf(box(wire.to), size.width), size, others);
  else if ('from' in wire) at = freePlace(rightOf(box(wire.from)), size, others);
  else at = rightOf(box(wire.into.from));
  const placed = placeNodes(document, { [node.id]: at });
  if (!wire || !('into' in wire)) return placed;
  return makeRoom(placed, before, wire.into.to, at.x + size.width + GAP);
}

const rightOf = (box: Box): Point => ({ x: box.x + box.width + GAP, y: box.y });
const leftOf = (box: Box, width: number): Point => ({ x: box.x - GAP - width, y: box.y });

/** When a node is closer than `x`, it and what follows to the right of it move together, by what is missing. */
function makeRoom(document: FlowDocument, graph: Graph, id: string, x: number): FlowDocument {
  const first = boxOf(document, nodesById(graph).get(id)!);
  const missing = x - first.x;
  if (missing <= 0) return document;
  const moved = [id, ...downstreamOf(graph, id)].flatMap((each) => {
    const node = nodesById(graph).get(each);
    const box = node && boxOf(document, node);
    return box && box.x >= first.x ? [[each, { x: box.x + missing, y: box.y }] as const] : [];
  });
  return placeNodes(document, Object.fromEntries(moved));
}

import type { FlowDocument } from '@pawl/dag-core';
import {
  type Arrange,
  boundsOf,
  boxOf,
  everyNode,
  type GraphPath,
  graphAt,
  innerGraph,
  layoutInput,
  lookOf,
  nodesOf,
  PADDING,
  placeNodes,
  tidied,
} from '../editor/index.ts';
import { layOut } from './lay-out.ts';

/** What puts the nodes of a graph, and of what its open containers hold, in order. */
export const tidy = async (document: FlowDocument, graph: GraphPath = []): Promise<Arrange> =>
  tidied(document, graph, await layOut(layoutInput(document, graph)));

/** The document with every graph laid out that was never drawn; the same when there is none. */
export async function placeUndrawn(document: FlowDocument): Promise<FlowDocument> {
  let placed = document;
  for (const graph of graphsOf(document)) {
    if (!isUndrawn(placed, graph)) continue;
    const { nodes = {} } = await tidy(placed, graph);
    placed = intoContainer(placeNodes(placed, nodes), graph);
  }
  return placed;
}

/** The graphs of a document, outer ones first: an outer one is laid out with what its open containers hold. */
const graphsOf = (document: FlowDocument): GraphPath[] => [
  [],
  ...[...everyNode(document)]
    .filter(({ node }) => innerGraph(node))
    .map(({ node, graph }) => [...graph, node.id]),
];

function isUndrawn(document: FlowDocument, path: GraphPath): boolean {
  const graph = graphAt(document, path);
  return nodesOf(graph ?? { nodes: [] }).some(({ id }) => {
    const { x, y } = lookOf(document, id);
    return typeof x !== 'number' || typeof y !== 'number';
  });
}

/** What is inside a container stands behind its head and its rim. */
function intoContainer(document: FlowDocument, path: GraphPath): FlowDocument {
  const nodes = nodesOf(graphAt(document, path) ?? { nodes: [] });
  const { x, y } = boundsOf(nodes.map((node) => boxOf(document, node)));
  const [right, down] = [PADDING.left - x, PADDING.top - y];
  if (path.length === 0 || (right === 0 && down === 0)) return document;
  const places = nodes.map((node) => {
    const box = boxOf(document, node);
    return [node.id, { x: box.x + right, y: box.y + down }] as const;
  });
  return placeNodes(document, Object.fromEntries(places));
}

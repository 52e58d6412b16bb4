import type { FlowDocument } from '@pawl/dag-core';
import {
  edgesOf,
  everyNode,
  type Graph,
  type GraphPath,
  graphAt,
  innerGraph,
  lookOf,
  nodesOf,
  PADDING,
  type Point,
  placeNodes,
  sizeOf,
} from '../editor/index.ts';
import { layOut } from '../graph/lay-out.ts';

/** Places for the nodes of a flow, inner graphs first, since a container is as large as what it holds. */
export async function tidyPlaces(
  document: FlowDocument,
  isWanted: (graph: Graph) => boolean = () => true,
): Promise<Record<string, Point>> {
  const graphs: GraphPath[] = [
    [],
    ...[...everyNode(document)]
      .filter(({ node }) => innerGraph(node))
      .map(({ node, graph }) => [...graph, node.id]),
  ];
  const places: Record<string, Point> = {};
  for (const path of graphs.toSorted((one, other) => other.length - one.length)) {
    const graph = graphAt(document, path);
    if (!graph || nodesOf(graph).length === 0 || !isWanted(graph)) continue;
    const placed = placeNodes(document, places);
    const { nodes, edges } = { nodes: nodesOf(graph), edges: edgesOf(graph) };
    const isHere = new Set(nodes.map(({ id }) => id));
    const found = await layOut({
      boxes: nodes.map((node) => ({ id: node.id, ...sizeOf(placed, node) })),
      edges: edges.filter(({ from, to }) => isHere.has(from) && isHere.has(to)),
    });
    const corner = path.length > 0 ? { x: PADDING.left, y: PADDING.top } : { x: 0, y: 0 };
    const left = Math.min(...Object.values(found).map(({ x }) => x));
    const top = Math.min(...Object.values(found).map(({ y }) => y));
    for (const [id, { x, y }] of Object.entries(found))
      places[id] = { x: x - left + corner.x, y: y - top + corner.y };
  }
  return places;
}

/** The document with every graph laid out that was never drawn; the same when there is none. */
export async function placeUndrawn(document: FlowDocument): Promise<FlowDocument> {
  const isUndrawn = (graph: Graph) =>
    nodesOf(graph).some(({ id }) => {
      const { x, y } = lookOf(document, id);
      return typeof x !== 'number' || typeof y !== 'number';
    });
  return placeNodes(document, await tidyPlaces(document, isUndrawn));
}

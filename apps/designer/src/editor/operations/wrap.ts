import type { EdgeConfig, FlowDocument, NodeConfig } from '@pawl/dag-core';
import { downstreamOf, upstreamOf } from '../connecting/ways.ts';
import {
  changeGraph,
  edgesOf,
  type Graph,
  graphAt,
  isSameEdge,
  nodesById,
  nodesOf,
} from '../document/graph.ts';
import { placeNodes } from '../document/layout.ts';
import { boundsOf, boxOf, PADDING } from '../document/node-size.ts';
import { checkPart } from './check-part.ts';
import type { Wrap } from './operation.ts';
import { type Changed, refuse } from './refusal.ts';

/** Puts nodes into a new loop or map, where the first of them was. */
export function wrap(document: FlowDocument, operation: Wrap): Changed<FlowDocument> {
  const { graph, ids, container } = operation;
  const found = graphAt(document, graph);
  if (!found) return refuse({ code: 'graph_unknown', graph });
  if (ids.length === 0) return refuse({ code: 'nothing_chosen' });
  const unknown = ids.find((id) => !nodesById(found).has(id));
  if (unknown !== undefined) return refuse({ code: 'node_unknown', node: unknown, graph });
  const inside = new Set(ids);
  const between = [...downstreamOf(found, ...ids)].filter(
    (id) => !inside.has(id) && upstreamOf(found, ...ids).has(id),
  );
  if (between.length > 0) return refuse({ code: 'wraps_apart', between });
  const node = { ...container, body: bodyOf(found, inside) } as unknown as NodeConfig;
  const refused = checkPart(document, {
    nodes: [{ ...node, body: { nodes: [], edges: [] } } as NodeConfig],
    edges: [],
  });
  if (refused) return refuse(refused);
  const wrapped = changeGraph(document, graph, (old) => ({
    ...old,
    nodes: withContainer(old.nodes, inside, node),
    edges: edgesAround(old.edges, inside, node.id),
  }));
  return placeWrapped(wrapped, document, found, operation);
}

const bodyOf = (graph: Graph, inside: ReadonlySet<string>): Graph => ({
  nodes: nodesOf(graph).filter((node) => inside.has(node.id)),
  edges: edgesOf(graph).filter((edge) => inside.has(edge.from) && inside.has(edge.to)),
});

function withContainer(
  nodes: readonly NodeConfig[],
  inside: ReadonlySet<string>,
  container: NodeConfig,
): NodeConfig[] {
  const at = nodes.findIndex((node) => inside.has(node?.id));
  return nodes.flatMap((node, index) => {
    if (index === at) return [container];
    return inside.has(node?.id) ? [] : [node];
  });
}

/** Edges across the border begin or end at the container; many of one kind become one. */
function edgesAround(
  edges: readonly EdgeConfig[],
  inside: ReadonlySet<string>,
  container: string,
): EdgeConfig[] {
  const around: EdgeConfig[] = [];
  for (const edge of edges) {
    const [isFrom, isTo] = [inside.has(edge?.from), inside.has(edge?.to)];
    if (isFrom && isTo) continue;
    const moved = isFrom ? { from: container, to: edge.to } : isTo ? { ...edge, to: container } : edge;
    if (moved === edge || !around.some((each) => isSameEdge(each, moved))) around.push(moved);
  }
  return around;
}

/** The container stands where its nodes stood, and they stand in it as they stood to each other. */
function placeWrapped(
  document: FlowDocument,
  before: FlowDocument,
  graph: Graph,
  { ids, container }: Wrap,
): FlowDocument {
  const boxes = ids.map((id) => [id, boxOf(before, nodesById(graph).get(id)!)] as const);
  const bounds = boundsOf(boxes.map(([, box]) => box));
  const inner = boxes.map(
    ([id, box]) => [id, { x: box.x - bounds.x + PADDING.left, y: box.y - bounds.y + PADDING.top }] as const,
  );
  const corner = { x: bounds.x - PADDING.left, y: bounds.y - PADDING.top };
  return placeNodes(document, { ...Object.fromEntries(inner), [container.id]: corner });
}

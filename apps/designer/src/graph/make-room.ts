import type { FlowDocument } from '@pawl/dag-core';
import {
  type Box,
  boxOf,
  doOverlap,
  everyNode,
  GAP,
  type Graph,
  innerGraph,
  nodesOf,
  PADDING,
  placeNodes,
} from '../editor/index.ts';

/**
 * The document with nodes pushed away from containers that grew over them: what stands to the right goes right, what stands below goes
 * down, all that follows with it. For a picture; nothing of it is saved.
 */
export function makeRoom(document: FlowDocument): FlowDocument {
  const graphs = [
    document as Graph,
    ...[...everyNode(document)].flatMap(({ node }) => innerGraph(node) ?? []),
  ];
  // From the inside to the outside: a container is as large as what it holds.
  return graphs.reverse().reduce(makeRoomIn, document);
}

function makeRoomIn(document: FlowDocument, graph: Graph): FlowDocument {
  let roomy = document;
  const containers = nodesOf(graph).filter((node) => innerGraph(node));
  for (const container of containers) {
    const box = boxOf(roomy, container);
    const others = nodesOf(graph).filter((node) => node !== container);
    const boxes = new Map(others.map((node) => [node.id, boxOf(roomy, node)]));
    const push = (along: 'x' | 'y', end: number) => {
      const blocking = [...boxes.values()].filter(
        (other) => other[along] > box[along] && doOverlap(box, other),
      );
      if (blocking.length === 0) return;
      const from = Math.min(...blocking.map((other) => other[along]));
      for (const [id, other] of boxes)
        if (other[along] >= from) boxes.set(id, { ...other, [along]: other[along] + end - from });
    };
    const columns = (other: Box) => other.x >= box.x + Math.min(box.width, 212);
    if ([...boxes.values()].some((other) => columns(other) && doOverlap(box, other)))
      push('x', box.x + box.width + GAP);
    push('y', box.y + box.height + PADDING.bottom);
    const places = [...boxes].map(([id, { x, y }]) => [id, { x, y }] as const);
    roomy = placeNodes(roomy, Object.fromEntries(places));
  }
  return roomy;
}

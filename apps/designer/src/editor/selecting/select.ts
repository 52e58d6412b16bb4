import type { FlowDocument } from '@pawl/dag-core';
import { neighboursOf } from '../connecting/ways.ts';
import { type Graph, type GraphPath, graphAt, nodesById, nodesOf } from '../document/graph.ts';
import type { Box } from '../document/layout.ts';
import { boundsOf, boxOf, doOverlap } from '../document/node-size.ts';

// A selection is a list of ids in one graph. All, upstream and downstream of a node: `nodesOf`, `upstreamOf`, `downstreamOf`.

/** Nodes that touch a box, or lie in it as a whole. */
export function nodesInBox(
  document: FlowDocument,
  graph: GraphPath,
  box: Box,
  how: 'touched' | 'whole' = 'touched',
): string[] {
  const found = graphAt(document, graph);
  if (!found) return [];
  return nodesOf(found)
    .filter((node) => {
      const own = boxOf(document, node);
      return how === 'touched' ? doOverlap(own, box) : holds(box, own);
    })
    .map(({ id }) => id);
}

/** True when a box lies in another one as a whole. */
export function holds(outer: Box, inner: Box): boolean {
  const { x, y, width, height } = boundsOf([outer, inner]);
  return x === outer.x && y === outer.y && width === outer.width && height === outer.height;
}

/** Nodes that follow one of the nodes that this one follows; of a root the other roots. */
export function siblingsOf(graph: Graph, id: string): string[] {
  const { next, previous } = neighboursOf(graph);
  const sources = previous.get(id) ?? [];
  const isSibling = (other: string) =>
    sources.length === 0
      ? (previous.get(other) ?? []).length === 0
      : sources.some((source) => next.get(source)?.includes(other));
  return nodesOf(graph)
    .map((node) => node.id)
    .filter((other) => other !== id && isSibling(other));
}

/** What an arrow key leads to: along the edges to the right and left, among siblings up and down; undefined at the rim. */
export function neighbourOf(
  document: FlowDocument,
  graph: GraphPath,
  id: string,
  arrow: 'left' | 'right' | 'up' | 'down',
): string | undefined {
  const found = graphAt(document, graph);
  if (!found) return undefined;
  const { next, previous } = neighboursOf(found);
  if (arrow === 'right') return nearest(document, found, id, next.get(id) ?? []);
  if (arrow === 'left') return nearest(document, found, id, previous.get(id) ?? []);
  const y = yOf(document, found, id);
  const beyond = siblingsOf(found, id).filter((other) => {
    const its = yOf(document, found, other);
    return arrow === 'up' ? its < y : its > y;
  });
  return nearest(document, found, id, beyond);
}

/** The one that is closest in height, the first of several. */
function nearest(
  document: FlowDocument,
  graph: Graph,
  id: string,
  others: readonly string[],
): string | undefined {
  const y = yOf(document, graph, id);
  const distance = (other: string) => Math.abs(yOf(document, graph, other) - y);
  return others.toSorted((one, other) => distance(one) - distance(other))[0];
}

function yOf(document: FlowDocument, graph: Graph, id: string): number {
  const node = nodesById(graph).get(id);
  return node ? boxOf(document, node).y : 0;
}

/** What of a selection is still there, after an undo or a merge. */
export function stillThere(document: FlowDocument, graph: GraphPath, ids: readonly string[]): string[] {
  const found = graphAt(document, graph);
  return found ? ids.filter((id) => nodesById(found).has(id)) : [];
}

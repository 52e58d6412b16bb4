import type { FlowDocument } from '@pawl/dag-core';
import { type GraphPath, graphAt, nodesById } from '../document/graph.ts';
import type { Box, Point } from '../document/layout.ts';
import { boundsOf, boxOf } from '../document/node-size.ts';
import type { Arrange } from '../operations/operation.ts';

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';

type Places = Readonly<Record<string, Point>>;

function boxesOf(document: FlowDocument, graph: GraphPath, ids: readonly string[]): [string, Box][] {
  const found = graphAt(document, graph);
  return ids.flatMap((id) => {
    const node = found && nodesById(found).get(id);
    return node ? [[id, boxOf(document, node)] satisfies [string, Box]] : [];
  });
}

/** Lines nodes up. */
export function align(
  document: FlowDocument,
  graph: GraphPath,
  ids: readonly string[],
  alignment: Alignment,
): Arrange {
  const boxes = boxesOf(document, graph, ids);
  const bounds = boundsOf(boxes.map(([, box]) => box));
  const nodes: Places = Object.fromEntries(boxes.map(([id, box]) => [id, aligned(box, bounds, alignment)]));
  return { do: 'arrange', nodes, as: 'align' };
}

function aligned(box: Box, bounds: Box, alignment: Alignment): Point {
  const { x, y } = box;
  switch (alignment) {
    case 'left':
      return { x: bounds.x, y };
    case 'center':
      return { x: bounds.x + (bounds.width - box.width) / 2, y };
    case 'right':
      return { x: bounds.x + bounds.width - box.width, y };
    case 'top':
      return { x, y: bounds.y };
    case 'middle':
      return { x, y: bounds.y + (bounds.height - box.height) / 2 };
    case 'bottom':
      return { x, y: bounds.y + bounds.height - box.height };
  }
}

/** Makes the gaps between nodes equal; the outer ones stay. With less than three there is nothing to do. */
export function distribute(
  document: FlowDocument,
  graph: GraphPath,
  ids: readonly string[],
  way: 'across' | 'down',
): Arrange {
  const [axis, length] = way === 'across' ? (['x', 'width'] as const) : (['y', 'height'] as const);
  const boxes = boxesOf(document, graph, ids).toSorted(([, one], [, other]) => one[axis] - other[axis]);
  const bounds = boundsOf(boxes.map(([, box]) => box));
  const filled = boxes.reduce((sum, [, box]) => sum + box[length], 0);
  const gap = (bounds[length] - filled) / Math.max(1, boxes.length - 1);
  let next = bounds[axis];
  const places = boxes.map(([id, box]) => {
    const place = [id, { x: box.x, y: box.y, [axis]: next }] as const;
    next += box[length] + gap;
    return place;
  });
  return { do: 'arrange', nodes: boxes.length < 3 ? {} : Object.fromEntries(places), as: 'distribute' };
}

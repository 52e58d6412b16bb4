import type { FlowDocument } from '@pawl/dag-core';
import {
  type Box,
  boundsOf,
  boxOf,
  type Draw,
  type Drawing,
  drawingsOf,
  freeId,
  type GraphPath,
  graphAt,
  nodesById,
  type Point,
} from '../editor/index.ts';

const SIZES = { note: { width: 208, height: 120 }, frame: { width: 420, height: 260 } } as const;

/** Room of a frame around what it is drawn for; above there is its title. */
const AROUND = { x: 24, top: 48, bottom: 24 } as const;

/**
 * Draws a new, empty note or frame: with its middle at a point, or a frame around nodes.
 *
 * @param graph where it is drawn; the nodes are of that graph
 */
export function newDrawing(
  document: FlowDocument,
  drawing: Drawing,
  graph: GraphPath,
  place: Point | { readonly around: readonly string[] },
): Draw {
  const container = graph.at(-1);
  const box =
    'around' in place ? aroundNodes(document, graph, place.around) : middleAt(SIZES[drawing], place);
  const where = { ...rounded(box), ...(container !== undefined && { in: container }) };
  return {
    do: 'draw',
    drawing,
    id: freeId(drawing, new Set(Object.keys(drawingsOf(document, drawing)))),
    value: drawing === 'note' ? { ...where, text: '' } : { ...where, title: '' },
  };
}

const middleAt = (size: { readonly width: number; readonly height: number }, { x, y }: Point): Box => ({
  x: x - size.width / 2,
  y: y - size.height / 2,
  ...size,
});

function aroundNodes(document: FlowDocument, graph: GraphPath, ids: readonly string[]): Box {
  const here = graphAt(document, graph);
  const nodes = ids.flatMap((id) => (here && nodesById(here).get(id)) ?? []);
  const { x, y, width, height } = boundsOf(nodes.map((node) => boxOf(document, node)));
  return {
    x: x - AROUND.x,
    y: y - AROUND.top,
    width: width + 2 * AROUND.x,
    height: height + AROUND.top + AROUND.bottom,
  };
}

const rounded = ({ x, y, width, height }: Box): Box => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.round(width),
  height: Math.round(height),
});

import type { FlowDocument } from '@pawl/dag-core';
import type { Node } from '@xyflow/react';
import {
  type Box,
  type Carried,
  type Drawing,
  drawingsOf,
  type Frame,
  findNode,
  lookOf,
  type Note,
  PADDING,
  type Things,
} from '../editor/index.ts';

// Notes and frames on the canvas. What is drawn there has one kind of id: that of a node, or `$note:<id>` and `$frame:<id>`, which no
// node can have.

/** Colours that a note or a frame can have; none is the plain one. */
export const COLORS = ['accent', 'ok', 'degraded', 'unsure', 'wait'] as const;

/** What the canvas draws of a note or a frame. */
export type DrawnThing = Node<
  { readonly drawing: Drawing; readonly id: string; readonly value: Note | Frame },
  'drawing'
>;

export const drawnId = (drawing: Drawing, id: string): string => `$${drawing}:${id}`;

/** Which note or frame an id of the canvas means; undefined for a node. */
export function readDrawnId(drawn: string): { readonly drawing: Drawing; readonly id: string } | undefined {
  const [, drawing, id] = /^\$(note|frame):([\s\S]*)$/.exec(drawn) ?? [];
  return drawing === undefined ? undefined : { drawing: drawing as Drawing, id: id! };
}

/** The note or frame that an id of the canvas means, where it is there. */
export function drawnValue(document: FlowDocument, drawn: string): Note | Frame | undefined {
  const read = readDrawnId(drawn);
  return read && drawingsOf(document, read.drawing)[read.id];
}

/** What is meant by ids of the canvas. */
export function thingsOf(drawn: readonly string[]): Required<Things> {
  const read = drawn.map(readDrawnId);
  const of = (drawing: Drawing) => read.flatMap((each) => (each?.drawing === drawing ? [each.id] : []));
  return { nodes: drawn.filter((_, at) => !read[at]), notes: of('note'), frames: of('frame') };
}

/** Notes and frames that only the later document has, by ids of the canvas; those inside a container that is new too come with it. */
export const newDrawings = (before: FlowDocument, after: FlowDocument): string[] =>
  (['note', 'frame'] as const).flatMap((drawing) => {
    const old = drawingsOf(before, drawing);
    return Object.entries(drawingsOf(after, drawing)).flatMap(([id, { in: container }]) => {
      const isWith = container !== undefined && !findNode(before, container);
      return Object.hasOwn(old, id) || isWith ? [] : [drawnId(drawing, id)];
    });
  });

/** What is carried, by ids of the canvas. */
export const drawnBoxes = ({ nodes, notes, frames }: Carried): Map<string, Box> =>
  new Map([
    ...Object.entries(nodes),
    ...Object.entries(notes).map(([id, box]) => [drawnId('note', id), box] as const),
    ...Object.entries(frames).map(([id, box]) => [drawnId('frame', id), box] as const),
  ]);

/** Frames, then notes: those behind the nodes and their edges, these before them. What is drawn as before is the same object. */
export function drawThings(
  document: FlowDocument,
  selected: ReadonlySet<string>,
  nameOf: (drawing: Drawing, value: Note | Frame) => string,
  before: readonly DrawnThing[],
): DrawnThing[] {
  const old = new Map(before.map((thing) => [thing.id, thing]));
  return (['frame', 'note'] as const).flatMap((drawing) =>
    Object.entries(drawingsOf(document, drawing)).flatMap(([id, value]) => {
      const isShown = value.in === undefined || isOpen(document, value.in);
      if (!isShown) return [];
      const now = drawThing(drawing, id, value, selected, nameOf(drawing, value));
      const was = old.get(now.id);
      const isSame =
        was?.data.value === value &&
        was.selected === now.selected &&
        was.ariaLabel === now.ariaLabel &&
        was.position.x === value.x &&
        was.position.y === value.y &&
        was.width === value.width &&
        was.height === value.height;
      return [isSame ? was : now];
    }),
  );
}

/** Whether a container, and each around it, is open. */
function isOpen(document: FlowDocument, container: string): boolean {
  const found = findNode(document, container);
  return found !== undefined && [...found.graph, container].every((id) => !lookOf(document, id).collapsed);
}

function drawThing(
  drawing: Drawing,
  id: string,
  value: Note | Frame,
  selected: ReadonlySet<string>,
  ariaLabel: string,
): DrawnThing {
  const { x, y, width, height } = value;
  return {
    id: drawnId(drawing, id),
    type: 'drawing',
    position: { x, y },
    width,
    height,
    measured: { width, height },
    handles: [],
    connectable: false,
    selected: selected.has(drawnId(drawing, id)),
    ariaLabel,
    zIndex: drawing === 'frame' ? -1 : 1,
    // What lies in a frame is reached through it: only its head takes the pointer.
    ...(drawing === 'frame' && { style: { pointerEvents: 'none' as const } }),
    ...(value.in !== undefined && {
      parentId: value.in,
      extent: [
        [PADDING.left, PADDING.top],
        [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
      ] as [[number, number], [number, number]],
    }),
    data: { drawing, id, value },
  };
}

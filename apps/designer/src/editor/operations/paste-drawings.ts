import type { FlowDocument } from '@pawl/dag-core';
import type { Clip } from '../clipboard/clip.ts';
import { idsOf } from '../document/graph.ts';
import { isMembers } from '../document/json-path.ts';
import {
  changeLayout,
  DRAWINGS,
  type Drawing,
  drawingsOf,
  type Frame,
  mergeBox,
  type Note,
  type Point,
} from '../document/layout.ts';
import { freeId } from '../document/new-id.ts';

interface CopiedDrawing {
  readonly drawing: Drawing;
  readonly id: string;
  readonly value: Note | Frame;
}

/** The notes and frames of a clip; what a hand wrote wrongly is none. */
export const drawingsIn = (clip: Clip): CopiedDrawing[] =>
  (['note', 'frame'] as const).flatMap((drawing) =>
    Object.entries(drawingsOf(clip, drawing)).flatMap(([id, value]) =>
      isDrawing(drawing, value) ? [{ drawing, id, value }] : [],
    ),
  );

function isDrawing(drawing: Drawing, value: unknown): value is Note | Frame {
  if (!isMembers(value) || typeof value[drawing === 'note' ? 'text' : 'title'] !== 'string') return false;
  return (['x', 'y', 'width', 'height'] as const).every((key) => Number.isFinite(value[key]));
}

/** Those that lie in no container of the clip. */
export function outerDrawings(clip: Clip): (Note | Frame)[] {
  const ids = idsOf(clip);
  return drawingsIn(clip).flatMap(({ value }) => (ids.has(`${value.in}`) ? [] : [value]));
}

/**
 * Adds the notes and frames of a clip under ids that are free. Those inside its containers stay where they are in them.
 *
 * @param where `container`: in which the others come to lie; `by`: how far they are moved; `renames`: new ids of the nodes
 */
export function pasteDrawings(
  document: FlowDocument,
  clip: Clip,
  where: {
    readonly container: string | undefined;
    readonly by: Point;
    readonly renames: ReadonlyMap<string, string>;
  },
): FlowDocument {
  const { container, by, renames } = where;
  const inside = idsOf(clip);
  const move = ({ in: around, ...rest }: Note | Frame): Note | Frame => {
    if (around !== undefined && inside.has(around)) return { ...rest, in: renames.get(around) ?? around };
    const moved = mergeBox(rest, { x: rest.x + by.x, y: rest.y + by.y });
    return container === undefined ? moved : { ...moved, in: container };
  };
  return changeLayout(document, (layout) => {
    let changed = layout;
    for (const { drawing, id, value } of drawingsIn(clip)) {
      const there = drawingsOf({ layout: changed }, drawing);
      const free = freeId(id, new Set(Object.keys(there)));
      changed = { ...changed, [DRAWINGS[drawing]]: { ...there, [free]: move(value) } };
    }
    return changed;
  });
}

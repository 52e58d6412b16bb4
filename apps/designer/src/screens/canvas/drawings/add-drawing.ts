import type { Viewport } from '@xyflow/react';
import { drawnId } from '../../../canvas/drawn.ts';
import type { Editing } from '../../../canvas/editing.ts';
import { newDrawing } from '../../../canvas/new-drawing.ts';
import { type Drawing, findNode, type GraphPath, type Point } from '../../../editor/index.ts';

/** The point of the canvas in the middle of what is seen of it. */
export function middleOf({ x, y, zoom }: Viewport): Point {
  const box = document.querySelector('[data-drawing]')?.getBoundingClientRect();
  return { x: ((box?.width ?? 0) / 2 - x) / zoom, y: ((box?.height ?? 0) / 2 - y) / zoom };
}

/** Draws a note or a frame, a frame around what is selected, and lets its text be written at once. */
export function addDrawing(
  { history, selected, perform, select, set }: Editing,
  drawing: Drawing,
  place: { readonly graph: GraphPath; readonly at: Point },
): void {
  const first = selected[0] === undefined ? undefined : findNode(history.document, selected[0]);
  const draw =
    drawing === 'frame' && first
      ? newDrawing(history.document, drawing, first.graph, { around: selected })
      : newDrawing(history.document, drawing, place.graph, place.at);
  perform(draw);
  const id = drawnId(drawing, draw.id);
  select([], [], [id]);
  set({ renaming: id, place: undefined });
}

import type { Box, Point, Size } from '../editor/index.ts';

/** What is seen of the canvas: a point of it lies at `point * zoom + (x, y)` pixels from the corner of the pane. */
export interface View extends Point {
  readonly zoom: number;
}

/** Pixels at the rims of the pane where nothing should come to lie, or something lies over it. */
export interface Rims {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Moves the view by as little as shows a box; the zoom stays. Of a box that is larger than the pane the upper left corner is shown.
 *
 * @returns the same view when the box is seen already
 */
export function panToShow(view: View, pane: Size, box: Box, rims: Rims): View {
  const x =
    view.x + shift(box.x * view.zoom + view.x, box.width * view.zoom, rims.left, pane.width - rims.right);
  const y =
    view.y + shift(box.y * view.zoom + view.y, box.height * view.zoom, rims.top, pane.height - rims.bottom);
  return x === view.x && y === view.y ? view : { x, y, zoom: view.zoom };
}

/** How far what begins at `at` must move to lie between two limits. */
function shift(at: number, length: number, from: number, to: number): number {
  const back = Math.min(0, to - (at + length));
  return at + back < from ? from - at : back;
}

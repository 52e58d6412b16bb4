import type { FlowDocument } from '@pawl/dag-core';
import { useReactFlow } from '@xyflow/react';
import { useCallback } from 'react';
import { drawnValue } from '../../canvas/drawn.ts';
import { useEditingStore } from '../../canvas/editing.ts';
import { panToShow, type Rims } from '../../canvas/pan-to-show.ts';
import { type Box, boundsOf, boxOf, findNode } from '../../editor/index.ts';

/** What stands for a node on the screen: its card on the canvas, or its row in the list. */
export const elementOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(
    `.react-flow__node[data-id="${CSS.escape(id)}"], [data-row="${CSS.escape(id)}"]`,
  );

/** The node in which something on the screen is. */
export function nodeAround(element: Element | null): string | undefined {
  const around = element?.closest<HTMLElement>('.react-flow__node, [data-row]');
  return around?.dataset.row ?? around?.dataset.id;
}

/** Moves the focus to a node once it is drawn. */
export function focusNode(id: string): void {
  onceDrawn(() => {
    const element = elementOf(id);
    // The canvas is panned, and never scrolled.
    element?.focus({ preventScroll: element.closest('.react-flow') !== null });
  });
}

/** What React was told is drawn in the frame after the next. */
const onceDrawn = (act: () => void) => requestAnimationFrame(() => requestAnimationFrame(act));

/** Moves the focus to what is selected, where that is one thing. */
export function focusSelected(selected: readonly string[]): void {
  const id = selected.at(-1);
  if (id !== undefined) elementOf(id)?.focus();
}

/** Moves the focus to the drawing, or the list, as a whole. */
export const focusDrawing = (): void => document.querySelector<HTMLElement>('[data-drawing]')?.focus();

/** What selects a node, gives it the focus and brings it into view. */
export function useShow(): (id: string) => void {
  const editing = useEditingStore();
  const { setCenter, getZoom } = useReactFlow();
  return useCallback(
    (id) => {
      const { history, select } = editing.getState();
      const found = findNode(history.document, id);
      if (!found) return;
      select([id]);
      const element = elementOf(id);
      const frame = element?.closest('.react-flow');
      element?.focus({ preventScroll: frame !== null });
      if (element && (!frame || isWithin(element, frame))) return;
      const { x, y, width, height } = placeOf(history.document, id)!;
      void setCenter(x + width / 2, y + height / 2, { zoom: getZoom() });
      // One that was out of sight may not have been drawn.
      if (!element) focusNode(id);
    },
    [editing, setCenter, getZoom],
  );
}

/** What brings nodes, notes and frames, by ids of the canvas, into view once they are drawn, where they are not seen as a whole. */
export function useReveal(): (ids: readonly string[]) => void {
  const editing = useEditingStore();
  const { getViewport, setViewport } = useReactFlow();
  return useCallback(
    (ids) =>
      onceDrawn(() => {
        const pane = document.querySelector('.react-flow')?.getBoundingClientRect();
        const boxes = ids.flatMap((id) => placeOf(editing.getState().history.document, id) ?? []);
        if (!pane || boxes.length === 0) return;
        const view = getViewport();
        const next = panToShow(view, pane, boundsOf(boxes), rimsOf(pane));
        const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
        if (next !== view) void setViewport(next, { duration: isStill ? 0 : PAN_MS });
      }),
    [editing, getViewport, setViewport],
  );
}

const PAN_MS = 200;
/** Pixels that what is shown keeps from the rim; below there are the buttons of the zoom. */
const RIM = { left: 24, top: 24, right: 24, bottom: 64 } as const;

/** The palette lies over the pane. */
function rimsOf(pane: DOMRect): Rims {
  const palette = document.querySelector('[data-palette]')?.getBoundingClientRect();
  const covered = palette ? palette.right - pane.left : 0;
  // Where it leaves less than a node, as on a phone, it is no rim.
  return covered < pane.width / 2 ? { ...RIM, left: Math.max(RIM.left, covered + RIM.left) } : RIM;
}

/** Where a node, a note or a frame is on the canvas, counted from its origin. */
function placeOf(flow: FlowDocument, id: string): Box | undefined {
  const drawn = drawnValue(flow, id);
  const found = findNode(flow, drawn ? (drawn.in ?? '') : id);
  const own = drawn ?? (found && boxOf(flow, found.node));
  if (!own) return undefined;
  const around = [...(found?.graph ?? []), ...(drawn?.in === undefined ? [] : [drawn.in])];
  const corners = around.map((container) => boxOf(flow, findNode(flow, container)!.node));
  return {
    x: corners.reduce((sum, { x }) => sum + x, own.x),
    y: corners.reduce((sum, { y }) => sum + y, own.y),
    width: own.width,
    height: own.height,
  };
}

function isWithin(element: Element, frame: Element): boolean {
  const [box, outer] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
  return (
    box.left >= outer.left && box.right <= outer.right && box.top >= outer.top && box.bottom <= outer.bottom
  );
}

/** The row that takes the focus when these nodes go from the list: the next one, else the one before. */
export function rowAfter(ids: readonly string[]): HTMLElement | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const last = rows.findLastIndex(({ dataset }) => ids.includes(dataset.row!));
  const stays = (row: HTMLElement) =>
    !ids.some((id) => row.dataset.row === id || row.closest(`[data-inside="${CSS.escape(id)}"]`));
  return rows.slice(last + 1).find(stays) ?? rows.slice(0, Math.max(0, last)).findLast(stays);
}

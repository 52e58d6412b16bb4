import { useReactFlow } from '@xyflow/react';
import { useCallback } from 'react';
import { useEditingStore } from '../../canvas/editing.ts';
import { boxOf, findNode } from '../../editor/index.ts';

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
  requestAnimationFrame(() => requestAnimationFrame(() => elementOf(id)?.focus()));
}

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
      let { x, y, width, height } = boxOf(history.document, found.node);
      for (const container of found.graph) {
        const outer = boxOf(history.document, findNode(history.document, container)!.node);
        x += outer.x;
        y += outer.y;
      }
      void setCenter(x + width / 2, y + height / 2, { zoom: getZoom() });
      // One that was out of sight may not have been drawn.
      if (!element) focusNode(id);
    },
    [editing, setCenter, getZoom],
  );
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

import { useEffect } from 'react';
import { thingsOf } from '../../canvas/drawn.ts';
import { useEditingStore } from '../../canvas/editing.ts';
import { copyNodes, readClip, writeClip } from '../../editor/index.ts';
import { chosenTogether, removeChosen } from './selected.ts';

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable], [role="dialog"]') !== null;

/** Copies, cuts and pastes nodes, notes and frames as JSON; with Shift, what is pasted keeps the edges that lead to it. */
export function useClipboard(isOn: boolean, reveal: (ids: readonly string[]) => void): void {
  const editing = useEditingStore();
  useEffect(() => {
    if (!isOn) return;
    let withShift = false;
    const watchShift = (event: KeyboardEvent) => {
      withShift = event.shiftKey;
    };
    const copy = (event: ClipboardEvent) => {
      const { history } = editing.getState();
      const chosen = isField(event.target) ? undefined : chosenTogether(editing.getState());
      if (!chosen) return;
      const { graph, nodes, drawings } = chosen;
      const clip = copyNodes(history.document, graph, nodes, thingsOf(drawings));
      event.clipboardData?.setData('text/plain', writeClip(clip));
      event.preventDefault();
      if (event.type === 'cut') removeChosen(editing.getState(), chosen);
    };
    const paste = (event: ClipboardEvent) => {
      if (isField(event.target)) return;
      const clip = readClip(event.clipboardData?.getData('text/plain') ?? '');
      if (!clip) return;
      event.preventDefault();
      const graph = chosenTogether(editing.getState())?.graph ?? [];
      const operation = { do: 'paste', graph, clip, incoming: withShift ? 'keep' : 'cut' } as const;
      void editing
        .getState()
        .rewrite(operation)
        .then((isDone) => {
          const { selected, selectedDrawings } = editing.getState();
          if (isDone) reveal([...selected, ...selectedDrawings]);
        });
    };
    window.addEventListener('keydown', watchShift, true);
    window.document.addEventListener('copy', copy);
    window.document.addEventListener('cut', copy);
    window.document.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('keydown', watchShift, true);
      window.document.removeEventListener('copy', copy);
      window.document.removeEventListener('cut', copy);
      window.document.removeEventListener('paste', paste);
    };
  }, [editing, isOn, reveal]);
}

import { useEffect } from 'react';
import { useEditingStore } from '../../canvas/editing.ts';
import { copyNodes, findNode, readClip, writeClip } from '../../editor/index.ts';
import { removeSelected } from './selected.ts';

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable], [role="dialog"]') !== null;

/** Copies, cuts and pastes nodes as JSON; with Shift, what is pasted keeps the edges that lead to it. */
export function useClipboard(isOn: boolean): void {
  const editing = useEditingStore();
  useEffect(() => {
    if (!isOn) return;
    let withShift = false;
    const watchShift = (event: KeyboardEvent) => {
      withShift = event.shiftKey;
    };
    const copy = (event: ClipboardEvent) => {
      const { history, selected } = editing.getState();
      if (isField(event.target) || selected.length === 0) return;
      const graph = findNode(history.document, selected[0]!)?.graph ?? [];
      event.clipboardData?.setData('text/plain', writeClip(copyNodes(history.document, graph, selected)));
      event.preventDefault();
      if (event.type === 'cut') removeSelected(editing.getState());
    };
    const paste = (event: ClipboardEvent) => {
      if (isField(event.target)) return;
      const clip = readClip(event.clipboardData?.getData('text/plain') ?? '');
      if (!clip) return;
      event.preventDefault();
      const { history, selected, rewrite } = editing.getState();
      const graph = selected[0] === undefined ? [] : (findNode(history.document, selected[0])?.graph ?? []);
      void rewrite({ do: 'paste', graph, clip, incoming: withShift ? 'keep' : 'cut' });
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
  }, [editing, isOn]);
}

import type { FlowDocument } from '@pawl/dag-core';
import type { StoreApi } from 'zustand/vanilla';
import { api } from '../api/client.ts';
import { createEditing, type Editing } from '../canvas/editing.ts';
import { placeUndrawn } from '../graph/place-flow.ts';
import { type Draft, DraftSaver } from './draft-saver.ts';
import { forgetCopy, keepCopy, readCopy } from './local-copy.ts';

/** A draft that is open on this screen. */
export interface OpenDraft {
  readonly editing: StoreApi<Editing>;
  readonly saver: DraftSaver;
  close(): void;
}

/** Loads a draft, with what an earlier tab could not save, and saves it as it is edited. */
export async function openDraft(flow: string): Promise<OpenDraft> {
  const params = { flow };
  const load = async (): Promise<Draft> => {
    const { revision, document } = await api.getFlow({ params });
    return { revision, document: document as unknown as FlowDocument };
  };
  const draft = await load();
  const copy = readCopy(flow);
  const placed = await placeUndrawn(draft.document);
  const saver = new DraftSaver(
    { revision: draft.revision, document: placed },
    {
      save: async (document, revision) => {
        const headers = { 'if-match': `"${revision}"` };
        const saved = await api.saveDraft({ params, headers, body: document as never });
        return { revision: saved.revision, document };
      },
      load,
      keep: (kept) => keepCopy(flow, kept),
      forget: () => forgetCopy(flow),
      later(ms, call) {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
  );
  const editing = createEditing(placed);
  if (copy && JSON.stringify(copy.document) !== JSON.stringify(draft.document)) {
    editing.getState().open(copy.document);
    saver.restore({ ...copy, document: editing.getState().history.document });
  } else if (copy) forgetCopy(flow);
  const unsubscribe = editing.subscribe(({ history }) => saver.edit(history.document));
  const wake = async () => {
    if (document.hidden) return saver.flush();
    const newer = await saver.refresh().catch(() => undefined);
    if (newer) editing.getState().open(newer);
  };
  const flush = () => void saver.flush();
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', flush);
  return {
    editing,
    saver,
    close() {
      unsubscribe();
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', flush);
      saver.stop();
    },
  };
}

import type { FlowDocument } from '@pawl/dag-core';
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  begin,
  type Done,
  end,
  findNode,
  type GraphPath,
  type History,
  type Label,
  labelOf,
  type Operation,
  type Point,
  perform,
  type Refusal,
  type Rewriting,
  redo,
  startHistory,
  undo,
  type Wire,
} from '../editor/index.ts';
import type { Said } from './announcement.ts';
import { drawnValue, newDrawings } from './drawn.ts';
import { loadRewrite } from './load-rewrite.ts';

/** Where the next node of the palette goes. */
export interface Place {
  readonly graph: GraphPath;
  readonly wire?: Wire;
  readonly at?: Point;
}

/** A flow that is being edited: the document with its past, and what only this tab knows. */
export interface Editing {
  readonly history: History;
  readonly selected: readonly string[];
  readonly selectedEdges: readonly string[];
  /** Notes and frames, by their ids on the canvas. */
  readonly selectedDrawings: readonly string[];
  /** Why the last thing was not done, and where on the screen that was. */
  readonly refusal?: { readonly reason: Refusal; readonly at?: Point } | undefined;
  /** Asked for by a `+`, a wire that was dropped on empty space, or a key. */
  readonly place?: Place | undefined;
  /** While a wire is drawn: where it cannot end. */
  readonly illegal?: ReadonlySet<string> | undefined;
  /** The node whose name is being written on the canvas, or the note or frame whose text is. */
  readonly renaming?: string | undefined;
  /** The node that is being connected by keys, or loses an edge so. */
  readonly wiring?: { readonly id: string; readonly does: 'connect' | 'disconnect' } | undefined;
  /** What was done last, to be said aloud. */
  readonly said?: Said;

  /** Does an operation; what it makes is selected. False when it was refused, and then says why. */
  perform(
    operation: Exclude<Operation, Rewriting>,
    options?: { readonly field?: string; readonly at?: Point },
  ): boolean;
  /** The same, for an operation that writes expressions anew: what reads them may have to be loaded. */
  rewrite(operation: Rewriting): Promise<boolean>;
  /** Does several operations as one entry of the history, named after the first; all of them, or none. */
  together(operations: readonly Exclude<Operation, Rewriting>[]): boolean;
  /** What is typed from now on is another entry of the history. */
  pause(): void;
  undo(): void;
  redo(): void;
  select(ids: readonly string[], edges?: readonly string[], drawings?: readonly string[]): void;
  set(part: Partial<Pick<Editing, 'refusal' | 'place' | 'illegal' | 'renaming' | 'wiring'>>): void;
  /** Another document from outside, with nothing to undo. */
  open(document: FlowDocument): void;
}

export function createEditing(document: FlowDocument): StoreApi<Editing> {
  return createStore<Editing>((set, get) => {
    const keepSelection = (history: History) => ({
      history,
      selected: stillThere(history.document, get().selected),
      selectedEdges: NONE,
      selectedDrawings: kept(get().selectedDrawings, (id) => drawnValue(history.document, id) !== undefined),
    });
    const say = (how: Said['how'], label: Label | undefined, after: FlowDocument): Pick<Editing, 'said'> => {
      const before = get().history.document;
      if (!label || after === before) return {};
      return { said: { how, label, before, after, number: (get().said?.number ?? 0) + 1 } };
    };
    const take = (
      operation: Operation,
      { history, made, refused }: Done,
      { field, at }: { readonly field?: string | undefined; readonly at?: Point | undefined } = {},
    ): boolean => {
      if (refused) {
        set({ refusal: { reason: refused, ...(at && { at }) } });
        return false;
      }
      const drawings = COPYING.has(operation.do)
        ? newDrawings(get().history.document, history.document)
        : NONE;
      set({
        ...keepSelection(history),
        // What is typed is heard letter by letter already.
        ...(field === undefined && say('done', labelOf(operation), history.document)),
        refusal: undefined,
        ...(operation.do === 'renameNode' && { selected: [operation.to] }),
        ...(made.length + drawings.length > 0 && {
          selected: outermost(history.document, made),
          selectedDrawings: drawings,
        }),
      });
      return true;
    };
    return {
      history: startHistory(document),
      selected: NONE,
      selectedEdges: NONE,
      selectedDrawings: NONE,
      perform: (operation, { field, at } = {}) =>
        take(operation, perform(get().history, operation, { field }), { field, at }),
      together([first, ...rest]) {
        if (!first) return true;
        let open = begin(get().history, labelOf(first));
        for (const operation of [first, ...rest]) {
          const done = perform(open, operation);
          if (done.refused) return take(operation, { ...done, history: get().history });
          open = done.history;
        }
        return take(first, { history: end(open), made: [] });
      },
      async rewrite(operation) {
        const rewrite = await loadRewrite();
        return take(operation, perform(get().history, operation, { rewrite }));
      },
      pause: () => set({ history: end(get().history) }),
      undo: () => {
        const history = undo(get().history);
        const said = say('undone', history.future.at(-1)?.label, history.document);
        set({ ...keepSelection(history), ...said, refusal: undefined });
      },
      redo: () => {
        const history = redo(get().history);
        const said = say('redone', history.past.at(-1)?.label, history.document);
        set({ ...keepSelection(history), ...said, refusal: undefined });
      },
      select: (selected, selectedEdges = NONE, selectedDrawings = NONE) =>
        set({
          selected,
          selectedEdges: selectedEdges.length > 0 ? selectedEdges : NONE,
          selectedDrawings: selectedDrawings.length > 0 ? selectedDrawings : NONE,
          refusal: undefined,
        }),
      set: (part) => set(part),
      open: (opened) => set(keepSelection(startHistory(opened))),
    };
  });
}

/** What makes notes and frames of others. */
const COPYING: ReadonlySet<Operation['do']> = new Set(['paste', 'duplicate']);

/** One and the same, so that whoever draws from it sees that nothing changed. */
const NONE: readonly string[] = [];

/** The same list when nothing of it is gone. */
function kept(ids: readonly string[], isThere: (id: string) => boolean): readonly string[] {
  const still = ids.filter(isThere);
  return still.length === ids.length ? ids : still;
}

const stillThere = (document: FlowDocument, ids: readonly string[]): readonly string[] =>
  kept(ids, (id) => findNode(document, id) !== undefined);

/** Those that lie in no other of them. */
const outermost = (document: FlowDocument, ids: readonly string[]): string[] =>
  ids.filter((id) => !findNode(document, id)?.graph.some((container) => ids.includes(container)));

export const EditingContext = createContext<StoreApi<Editing> | undefined>(undefined);

/** The store itself, for what happens in handlers. */
export function useEditingStore(): StoreApi<Editing> {
  const store = useContext(EditingContext);
  if (!store) throw new Error('No flow is being edited here: expected a component inside EditingContext.');
  return store;
}

export const useEditing = <T>(select: (editing: Editing) => T): T => useStore(useEditingStore(), select);

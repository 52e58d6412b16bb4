import type { FlowDocument } from '@pawl/dag-core';
import { applyPatches, type Patch, patchesBetween } from './document/patch.ts';
import { apply } from './operations/apply.ts';
import type { Label, Operation } from './operations/operation.ts';
import { isRefused, type Refusal } from './operations/refusal.ts';
import type { Rewrite } from './operations/rewrite.ts';

// Rules kept here: D5 one gesture is one entry, named by what a person did; typing in one field is one entry until a pause; whatever
// comes from a run is no operation, so it never gets here.

/** What can be undone, or done again, at once. */
interface Entry {
  readonly label: Label;
  readonly patches: readonly Patch[];
}

/** A gesture that goes on: everything until it ends is one entry. */
interface Gesture {
  readonly label: Label;
  readonly before: FlowDocument;
  /** The field that is typed in; without one only a word ends the gesture. */
  readonly field?: string;
}

/** A document with its past. Immutable. */
export interface History {
  readonly document: FlowDocument;
  /** The last one is undone first; its patches lead back. */
  readonly past: readonly Entry[];
  /** The last one is done again first; its patches lead on. */
  readonly future: readonly Entry[];
  readonly gesture?: Gesture;
}

/** Most entries that are kept. */
const MAX_ENTRIES = 500;

export const startHistory = (document: FlowDocument): History => ({ document, past: [], future: [] });

/** What became of an operation: refused, nothing has changed. */
export interface Done {
  readonly history: History;
  readonly made: readonly string[];
  readonly refused?: Refusal;
}

/**
 * Does an operation.
 *
 * @param field where a person types, for instance `classify/prompt`: what is typed there one after the other is one entry, until
 *   another operation, or {@link end} after a pause
 * @param rewrite what does the operations that write expressions anew; without it they are refused
 */
export function perform(
  history: History,
  operation: Operation,
  { field, rewrite }: { readonly field?: string | undefined; readonly rewrite?: Rewrite | undefined } = {},
): Done {
  const applied = apply(history.document, operation, rewrite);
  if (isRefused(applied)) return { history, made: [], refused: applied.refused };
  const { document, label, made } = applied;
  const { gesture } = history;
  const isWithin = gesture && (gesture.field === undefined || gesture.field === field);
  const open = isWithin ? history : begin(history, label, field);
  const changed = { ...open, document };
  return { history: isWithin || field !== undefined ? changed : end(changed), made };
}

/** Begins a gesture, ending one that goes on. */
export function begin(history: History, label: Label, field?: string): History {
  const ended = end(history);
  return { ...ended, gesture: { label, before: ended.document, ...(field !== undefined && { field }) } };
}

/** Ends a gesture; one that came to nothing leaves no entry. */
export function end(history: History): History {
  const { gesture, ...rest } = history;
  if (!gesture) return history;
  const patches = patchesBetween(history.document, gesture.before);
  if (patches.length === 0) return { ...rest, document: gesture.before };
  const past = [...history.past, { label: gesture.label, patches }].slice(-MAX_ENTRIES);
  return { document: history.document, past, future: [] };
}

/** Gives a gesture up: everything is as it was when it began. */
export function cancel({ gesture, ...rest }: History): History {
  return gesture ? { ...rest, document: gesture.before } : rest;
}

/** Undoes the last entry, or several. */
export const undo = (history: History, count = 1): History =>
  step(end(history), count, (each) => move(each, 'past', 'future'));

/** Does again what was undone. */
export const redo = (history: History, count = 1): History =>
  step(end(history), count, (each) => move(each, 'future', 'past'));

const step = (history: History, count: number, once: (history: History) => History): History =>
  Array.from({ length: count }).reduce<History>(once, history);

function move(history: History, from: 'past' | 'future', to: 'past' | 'future'): History {
  const entry = history[from].at(-1);
  if (!entry) return history;
  const document = applyPatches(history.document, entry.patches);
  const back = { label: entry.label, patches: patchesBetween(document, history.document) };
  return { ...history, document, [from]: history[from].slice(0, -1), [to]: [...history[to], back] };
}

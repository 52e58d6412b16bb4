import { undoPath } from '../graph/topology.ts';
import type { JournalEvent } from '../journal/events.ts';
import type { Decision } from './decision.ts';
import { undoRow } from './edges-and-scopes.ts';
import { known, type RunView } from './run-view.ts';
import { beginUndo } from './undo-in-order.ts';

// Rules kept here: S1, S2, S5: what is undone, in which order, and how the run ends then.

/** S2: plans the undoing of everything that can be undone. False when there is nothing, or when it was done already. */
export function planCompensation(d: Decision, reason: 'failure' | 'cancel'): boolean {
  const { run, rows } = d.view;
  if (run.more?.compensation) return false;
  const paths = rows.completedEffects().map((row) => row.path);
  if (paths.length === 0) return false;
  d.append({ type: 'compensation.planned', path: '', attempt: 0, data: { v: 1, paths, reason } });
  return true;
}

export function applyPlan(
  view: RunView,
  { paths }: Extract<JournalEvent, { type: 'compensation.planned' }>['data'],
): void {
  const { run } = view;
  view.moveRun('compensate');
  run.more = { ...run.more, compensation: { planned: paths.length, left: [] } };
  const undoing = paths.map((path, order) => view.add(undoRow(known(view, path), undoPath(path), order)));
  beginUndo(view, undoing[0]!);
}

/** S5: what is left is named; the run ends as what made it undo. */
export function endCompensation(d: Decision): void {
  const { run } = d.view;
  const left = [...run.more!.compensation!.left];
  d.append({ type: 'compensation.done', path: '', attempt: 0, data: { v: 1, left } });
  const end = run.more!.undoOnCancel
    ? { status: 'cancelled' as const }
    : { status: 'failed' as const, ...(run.failure && { failure: run.failure }) };
  d.append({ type: 'run.statusChanged', path: '', attempt: 0, data: { v: 1, ...end } });
}

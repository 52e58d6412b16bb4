import type { NodeRunState } from '../state/run-state.ts';
import { known, type RunView } from './run-view.ts';
import { scopePathOf } from './stop-scope.ts';

// Rules kept here: S3, S5: completed effects are undone one after the other.

/** S3: one effect is undone at a time. */
export function beginUndo(view: RunView, undo: NodeRunState): void {
  view.move(known(view, scopePathOf(undo)), 'compensate');
  view.move(undo, 'makeReady');
}

/** S3, S5: the next one follows, whether this one was undone or is left; after the last the run ends. */
export function undoEnded(view: RunView, undo: NodeRunState): void {
  const { run } = view;
  const effect = known(view, scopePathOf(undo));
  if (undo.status === 'succeeded') view.move(effect, 'compensated');
  else {
    view.move(effect, 'keep');
    const { planned, left } = run.more!.compensation!;
    run.more = { ...run.more, compensation: { planned, left: [...left, effect.path] } };
  }
  const waiting = view.rows.openUnder('').filter((row) => row.kind === 'undo' && row.status === 'pending');
  const next = waiting.sort((a, b) => a.itemIndex! - b.itemIndex!)[0];
  if (next) beginUndo(view, next);
  else view.due.push({ kind: 'endCompensation' });
}

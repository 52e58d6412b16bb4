import { childPath } from '../graph/topology.ts';
import { type NodeRunState, withoutFacts } from '../state/run-state.ts';
import { isUnder } from './node-run-rows.ts';
import { known, type RunView } from './run-view.ts';
import { scopePathOf } from './stop-scope.ts';

// Rules kept here: S3, S5, F9: completed effects are undone one after the other, those of ended runs by runs of their own.

/** S3: one effect is undone at a time. A sub-flow that failed or was stopped stays what it is. */
export function beginUndo(view: RunView, undo: NodeRunState): void {
  const effect = known(view, scopePathOf(undo));
  if (effect.status === 'succeeded') view.move(effect, 'compensate');
  view.move(undo, 'makeReady');
}

/** F9: an undo run has ended; of a sub-flow that was tried several times the run before it is next. */
export function runUndone(view: RunView, undo: NodeRunState, left: readonly string[]): void {
  const effect = view.touch(known(view, scopePathOf(undo)));
  const earlier = effect.more!.toUndo!.slice(0, -1);
  effect.more =
    earlier.length > 0 ? { ...effect.more, toUndo: earlier } : withoutFacts(effect.more, 'toUndo');
  leave(
    view,
    left.map((path) => childPath(effect.path, path)),
  );
  if (earlier.length > 0) view.move(undo, 'makeReady');
}

/** S3, S5: the next one follows, whether this one was undone or is left; after the last the run ends. */
export function undoEnded(view: RunView, undo: NodeRunState): void {
  const effect = known(view, scopePathOf(undo));
  if (undo.status !== 'succeeded') leave(view, [effect.path]);
  const { left } = view.run.more!.compensation!;
  const stays = left.some((path) => path === effect.path || isUnder(effect.path, path));
  if (effect.status === 'compensating') view.move(effect, stays ? 'keep' : 'compensated');
  const waiting = view.rows.openUnder('').filter((row) => row.kind === 'undo' && row.status === 'pending');
  const next = waiting.sort((a, b) => a.itemIndex! - b.itemIndex!)[0];
  if (next) beginUndo(view, next);
  else view.due.push({ kind: 'endCompensation' });
}

function leave({ run }: RunView, paths: readonly string[]): void {
  const { planned, left } = run.more!.compensation!;
  run.more = { ...run.more, compensation: { planned, left: [...left, ...paths] } };
}

import { undoPath } from '../graph/topology.ts';
import type { JournalEvent, UndoPlan } from '../journal/events.ts';
import type { NodeRunState, RunState } from '../state/run-state.ts';
import type { RunStatus } from '../state/status.ts';
import type { Decision } from './decision.ts';
import { completedElsewhere, undoRow } from './edges-and-scopes.ts';
import { known, type RunView } from './run-view.ts';
import { beginUndo } from './undo-in-order.ts';

// Rules kept here: S1, S2, S5, F9: what is undone, in which order, and how the run ends then.

/** S2: plans the undoing of everything that can be undone. False when there is nothing, or when it was done already. */
export function planCompensation(d: Decision, reason: 'failure' | 'cancel'): boolean {
  const { run, rows } = d.view;
  if (run.more?.compensation) return false;
  const paths = rows.completedEffects().map((row) => row.path);
  if (paths.length === 0) return false;
  d.append({ type: 'compensation.planned', path: '', attempt: 0, data: { v: 1, paths, reason } });
  return true;
}

/** F9: what of an ended run is undone, from what completed in it, the last first. */
export function undoPlanOf(effects: readonly NodeRunState[]): UndoPlan {
  const runs = effects.flatMap(({ path, more }) => (more?.toUndo ? [[path, more.toUndo] as const] : []));
  const paths = effects.map(({ path }) => path);
  return { paths, ...(runs.length > 0 && { runs: Object.fromEntries(runs) }) };
}

export function applyPlan(
  view: RunView,
  { paths, runs }: Extract<JournalEvent, { type: 'compensation.planned' }>['data'],
): void {
  const { run } = view;
  view.moveRun('compensate');
  run.more = { ...run.more, compensation: { planned: paths.length, left: [] } };
  const effectAt = (path: string) =>
    run.more?.undoesRun === undefined
      ? known(view, path)
      : view.add(completedElsewhere(view, path, runs?.[path]));
  const undoing = paths.map((path, order) => view.add(undoRow(effectAt(path), undoPath(path), order)));
  beginUndo(view, undoing[0]!);
}

/** S5: what is left is named; the run ends as what made it undo. */
export function endCompensation(d: Decision): void {
  const { run } = d.view;
  const left = [...run.more!.compensation!.left];
  d.append({ type: 'compensation.done', path: '', attempt: 0, data: { v: 1, left } });
  const failure = !run.more!.undoOnCancel && run.failure && { failure: run.failure };
  const output = run.more!.undoesRun !== undefined && { output: { left } };
  d.append({
    type: 'run.statusChanged',
    path: '',
    attempt: 0,
    data: { v: 1, status: endOf(run), ...failure, ...output },
  });
}

/** F9: an undo run has done what it is for; every other one ends as what made it undo. */
function endOf({ more }: RunState): RunStatus {
  if (more!.undoOnCancel) return 'cancelled';
  if (more!.undoesRun === undefined) return 'failed';
  return more!.compensation!.left.length > 0 ? 'partial' : 'succeeded';
}

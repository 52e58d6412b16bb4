import type { Failure, JournalEvent, UndoableRun } from '../journal/events.ts';
import { outputData } from '../journal/output-data.ts';
import { NO_SPEND, type NodeRunState, type RunState, withoutFacts } from '../state/run-state.ts';
import { isTerminalRun } from '../state/status.ts';
import type { Decision } from './decision.ts';
import type { ControlFact, Verdict, WordDown, WordUp, WorkerFact } from './facts.ts';
import { failed } from './failures.ts';
import { giveUp } from './give-up.ts';
import { hold, letGo } from './pausing.ts';
import { type RunView, undoesOnFailure } from './run-view.ts';
import { isStopping, runsFlow } from './stop-scope.ts';
import { allowed, asked, firstAllowance, giveBack, isRaised, told, wantsOf } from './tree-budget.ts';
import { runUndone } from './undo-in-order.ts';

// Rules kept here: F1–F6, F9: a sub-flow is a run of its own, and so is its undoing; what crosses from one run to the other is a word, told in a later commit.

/** Most runs below each other, the topmost not counted (semantics §8). */
export const MAX_RUN_NESTING = 16;

/** F1: a worker has prepared the run of a sub-flow. */
export function startsFlow(
  d: Decision,
  fact: Extract<WorkerFact, { type: 'startsFlow' }>,
  row: NodeRunState,
): Verdict {
  const { run } = d.view;
  const { path, attempt, runId, flow, versionId, undoing, clock } = fact;
  if (isStopping(d.view, path)) return giveUp(d, row);
  if (run.status === 'paused') {
    d.view.move(row, 'release');
    return 'stopped';
  }
  if ((run.more?.parent?.depth ?? 0) >= MAX_RUN_NESTING) {
    const message = `Node run ${path} would run ${flow} as the ${MAX_RUN_NESTING + 1}th run below each other; ${MAX_RUN_NESTING} is the most. Let the flow end sooner, for instance with a switch before the node.`;
    const failure: Failure = { code: 'flow_nesting_limit', message, class: 'permanent' };
    return failed(d, { ...fact, type: 'failed', failure, random: 0 }, row);
  }
  // S3: no budget stops an undoing.
  const allowance = undoing ? undefined : firstAllowance(run);
  const undoes = !undoing && undoesOnFailure(d.view) ? { undoes: true as const } : {};
  d.starts.push({ ...fact, ...undoes, ...(allowance && { allowance }) });
  d.append({
    type: 'flow.started',
    path,
    attempt,
    data: {
      v: 1,
      runId,
      flow,
      versionId,
      ...(allowance && { allowance }),
      ...(undoing && { undoes: undoing.runId }),
      ...(clock !== undefined && { clock }),
    },
  });
  return 'applied';
}

/** F3: the run of a sub-flow tells how it stands. Told again it changes nothing. */
export function subFlowSaid(
  d: Decision,
  { path, word }: Extract<ControlFact, { type: 'subFlowSaid' }>,
): Verdict {
  const row = d.view.rows.get(path);
  if (!row || !runsFlow(row) || row.more!.subFlow!.runId !== word.runId) return 'notMine';
  const { attempt } = row;
  const { flow, heard = 0 } = row.more!.subFlow!;
  if (!word.end) {
    if (word.seq <= heard) return 'notMine';
    asked(d, row, word);
    return 'applied';
  }
  if (row.kind === 'undo') return undoRunSaid(d, row, word.end, word);
  const { status, failure, output, outputRef } = word.end;
  const { runId, spent, undoable } = word;
  d.append({
    type: 'flow.ended',
    path,
    attempt,
    data: { v: 1, runId, status, spent, ...(undoable && { undoable }) },
  });
  if (status === 'succeeded' || status === 'partial') {
    const isAfterCancel = d.view.run.status === 'cancelling';
    d.append({
      type: 'outcome.succeeded',
      path,
      attempt,
      data: {
        v: 1,
        ...outputData({ output: output ?? null, outputRef }),
        ...(status === 'partial' && { degraded: `the run ${runId} of ${flow} ended partial` }),
        ...(isAfterCancel && { afterCancel: true as const }),
      },
    });
    return 'applied';
  }
  const why = failureOf(d, row, status === 'cancelled' ? undefined : failure, runId);
  failed(d, { type: 'failed', path, attempt, workerId: '', failure: why, random: 0 }, row);
  return 'applied';
}

/** F9: an undo run has ended, and says what is left. However it ended, it has come to the end of its plan. */
function undoRunSaid(
  d: Decision,
  row: NodeRunState,
  { status, output }: NonNullable<WordUp['end']>,
  { runId, spent }: WordUp,
): Verdict {
  const { path, attempt } = row;
  const { left } = output as { left: string[] };
  d.append({
    type: 'flow.ended',
    path,
    attempt,
    data: { v: 1, runId, status, spent, ...(left.length > 0 && { left }) },
  });
  if (row.status === 'waiting')
    d.append({ type: 'outcome.succeeded', path, attempt, data: { v: 1, output: null } });
  return 'applied';
}

/** F3: what the end of a run that did not succeed is for the node run: its failure, with the run named. */
function failureOf(d: Decision, row: NodeRunState, failure: Failure | undefined, runId: string): Failure {
  const { flow } = row.more!.subFlow!;
  if (failure) return { ...failure, message: `The run ${runId} of ${flow} failed: ${failure.message}` };
  const message = `The run ${runId} of ${flow} was cancelled.`;
  return isStopping(d.view, row.path)
    ? { code: 'cancelled', message, class: 'cancelled' }
    : { code: 'flow_cancelled', message, class: 'permanent' };
}

/** F4: what the run above says. A word that is older than one that was heard changes nothing. */
export function parentSaid(d: Decision, { word }: Extract<ControlFact, { type: 'parentSaid' }>): Verdict {
  const { run } = d.view;
  const { parent } = run.more ?? {};
  if (!parent || isTerminalRun(run.status) || word.seq <= (parent.heard ?? 0)) return 'notMine';
  const { seq, isHeld, allowance, stop } = word;
  const isMore = allowance !== undefined && isRaised(allowance, run.more?.allowance);
  d.append({
    type: 'parent.heard',
    path: '',
    attempt: 0,
    data: { v: 1, seq, isHeld, ...(allowance && { allowance }) },
  });
  if (isHeld) hold(d);
  else letGo(d);
  if (stop) cancelled(d, stop);
  // F7: the ask that this answers may have come to fit before it was made, and then nothing more is set aside.
  else if (isMore || !isHeld) allowed(d);
  return 'applied';
}

function cancelled(d: Decision, { reason, origin, compensate }: NonNullable<WordDown['stop']>): void {
  const { run } = d.view;
  if (run.status === 'cancelling' || (run.status === 'compensating' && run.more?.undoOnCancel)) return;
  d.append({
    type: 'run.cancelRequested',
    path: '',
    attempt: 0,
    data: {
      v: 1,
      by: 'parent',
      reason: reason === 'cancel' ? 'The run above was cancelled.' : 'The run above stopped.',
      ...(compensate && { compensate }),
      origin: { runId: run.more!.parent!.runId, ...origin },
    },
  });
}

/** F5: the run of a sub-flow is asked to stop, once. */
export function stopFlow(d: Decision, path: string, reason: 'cancel' | 'stop'): void {
  const row = d.view.rows.get(path);
  if (!row || !runsFlow(row) || row.more!.subFlow!.stop) return;
  const { run } = d.view;
  const undoes =
    reason === 'cancel' ? run.more?.undoOnCancel : run.failure !== undefined && undoesOnFailure(d.view);
  const origin = (reason === 'cancel' && run.more?.origin) || { seq: run.nextSeq };
  d.append({
    type: 'flow.stopAsked',
    path,
    attempt: row.attempt,
    data: { v: 1, reason, origin, ...(undoes && { compensate: true as const }) },
  });
}

type FlowEvent<T extends JournalEvent['type']> = Extract<JournalEvent, { type: T }>;

export function applyFlowStarted(
  view: RunView,
  row: NodeRunState,
  { data }: FlowEvent<'flow.started'>,
): void {
  const { runId, flow, versionId, allowance } = data;
  view.move(row, 'wait');
  row.reason = 'flow';
  row.failure = undefined; // of an earlier try
  row.more = {
    ...row.more,
    subFlow: { runId, flow, versionId, ...(allowance && { allowance }), spent: NO_SPEND },
  };
  view.run.more = { ...view.run.more, subFlows: (view.run.more?.subFlows ?? 0) + 1 };
}

export function applyStopAsked(
  view: RunView,
  row: NodeRunState,
  { data }: FlowEvent<'flow.stopAsked'>,
): void {
  const { v: _, ...stop } = data;
  view.touch(row).more = { ...row.more, subFlow: { ...row.more!.subFlow!, stop } };
  view.tell.add(row.path);
}

export function applyFlowEnded(view: RunView, row: NodeRunState, { data }: FlowEvent<'flow.ended'>): void {
  const { run } = view;
  told(view, view.touch(row), data.spent);
  giveBack(view, row);
  const { stop: _, allowance: __, wants: ___, ...subFlow } = row.more!.subFlow!;
  row.more = { ...row.more, subFlow };
  const open = run.more!.subFlows! - 1;
  run.more = open > 0 ? { ...run.more, subFlows: open } : withoutFacts(run.more, 'subFlows');
  if (row.kind === 'undo') runUndone(view, row, data.left ?? []);
  else if (data.undoable) keepToUndo(view, row);
}

/** S1: the run of the sub-flow is over and holds effects that can be undone. */
function keepToUndo({ run }: RunView, row: NodeRunState): void {
  const { toUndo = [], subFlow } = row.more!;
  const { runId, flow, versionId } = subFlow!;
  const ended: UndoableRun = { runId, flow, versionId, endedSeq: run.nextSeq - 1 };
  row.more = { ...row.more, toUndo: [...toUndo, ended] };
  holdsEffects(run);
}

/** S1: the run above must know, once this one has ended. */
export function holdsEffects(run: RunState): void {
  if (run.more?.parent && !run.more.undoable) run.more = { ...run.more, undoable: true };
}

/** What the run of a sub-flow says to the run above, and where its journal tells how it ended. */
export interface SaidUp extends Omit<WordUp, 'end'> {
  readonly endSeq?: number;
}

/** F4: how the run of a sub-flow stands, for the run above. */
export function wordUp(runId: string, run: RunState): SaidUp {
  const { nextSeq, spent, outputSeq, more } = run;
  const isUndoable = outputSeq !== undefined && more?.undoable && !more.compensation;
  const wants = wantsOf(run);
  return {
    runId,
    seq: nextSeq - 1,
    spent,
    ...(wants && { wants }),
    ...(isUndoable && { undoable: true as const }),
    ...(outputSeq !== undefined && { endSeq: outputSeq }),
  };
}

/** F4: what holds for the run of the sub-flow of a node run. */
export function wordDown({ nextSeq, status }: RunState, { more }: NodeRunState): WordDown {
  const { stop, allowance } = more!.subFlow!;
  return {
    seq: nextSeq - 1,
    isHeld: status === 'paused',
    ...(allowance && { allowance }),
    ...(stop && { stop }),
  };
}

/** F4: every run of a sub-flow hears when its run is held up or goes on. */
export function tellSubFlows(view: RunView): void {
  if (view.run.more?.subFlows === undefined) return;
  for (const row of view.rows.openUnder('')) if (runsFlow(row)) view.tell.add(row.path);
}

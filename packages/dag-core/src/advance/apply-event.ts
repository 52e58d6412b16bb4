import type { BudgetLimits } from '../graph/document.ts';
import type { Degraded, JournalEvent } from '../journal/events.ts';
import {
  DEGRADED_KEPT,
  NO_SPEND,
  type NodeRunState,
  type RunState,
  withoutFacts,
} from '../state/run-state.ts';
import { isTerminalRun } from '../state/status.ts';
import { applyAdmission } from './admission.ts';
import { nearLimits } from './budget.ts';
import { applyPlan } from './compensation.ts';
import { ended, isItem, newRow, openCalls, openItem } from './edges-and-scopes.ts';
import { applyPause, applyTimeout } from './pausing.ts';
import { applyLastAsked, applyPollAnswer, beginPoll } from './polls.ts';
import { applyAnswer, beginProbe, endProbe } from './probes.ts';
import { known, nodeOf, type RunView } from './run-view.ts';
import { callsOnly, reserve, settle, spendOf } from './spend.ts';
import {
  dueEnd,
  isAwaitingCallback,
  isStopping,
  runsFlow,
  scopePathOf,
  stopDue,
  stopScope,
} from './stop-scope.ts';
import { applyFlowEnded, applyFlowStarted, applyStopAsked, holdsEffects, tellSubFlows } from './sub-flows.ts';
import { applyAsked, applyGranted, applyPassedOn, asks } from './tree-budget.ts';

// Rules kept here: E1–E11 (SPEC.md). This is the only place that says what follows from an event. It is driven twice: by the
// store under the run's lock with the few rows an event touches, and by a fold with all of them (A1, V12).

/**
 * Applies the next event of the journal to a run (J2).
 *
 * @throws {RowsMissingError} when `view.rows` does not hold what the rules need; the view is then half-changed and must be dropped
 * @throws {MoveNotAllowedError} when the event does not fit the state: a defect or a corrupt journal
 */
export function applyEvent(view: RunView, event: JournalEvent): void {
  const { run } = view;
  const seq = run.nextSeq;
  run.nextSeq += 1;
  switch (event.type) {
    case 'run.admitted': {
      applyAdmission(view, event.data);
      return;
    }
    case 'run.statusChanged': {
      applyRunStatus(view, event.data, seq);
      return;
    }
    case 'run.timedOut':
      applyTimeout(view, event.data.timeoutMs);
      break;
    case 'parent.heard': {
      const { seq: heard, isHeld, allowance } = event.data;
      const { isHeld: _, ...parent } = run.more!.parent!;
      run.more = {
        ...run.more,
        parent: { ...parent, heard, ...(isHeld && { isHeld }) },
        ...(allowance && { allowance }),
      };
      break;
    }
    case 'flow.started':
      applyFlowStarted(view, running(view, event), event);
      break;
    case 'flow.stopAsked':
      applyStopAsked(view, known(view, event.path), event);
      break;
    case 'flow.asked':
      applyAsked(view, known(view, event.path), event);
      break;
    case 'flow.granted':
      applyGranted(view, known(view, event.path), event);
      break;
    case 'flow.passedOn':
      applyPassedOn(view, known(view, event.path), event);
      break;
    case 'flow.ended':
      applyFlowEnded(view, known(view, event.path), event);
      break;
    case 'run.budgetWarned':
      run.more = { ...run.more, warned: [...(run.more?.warned ?? []), event.data.unit] };
      break;
    case 'run.budgetChanged':
      run.limits = event.data.limits as BudgetLimits;
      forgetWarnings(run);
      break;
    case 'run.cancelRequested':
      if (event.data.compensate || run.status === 'compensating')
        run.more = { ...run.more, undoOnCancel: true };
      if (run.status === 'compensating') return;
      view.moveRun('askCancel');
      if (event.data.origin || run.more?.subFlows)
        run.more = { ...run.more, origin: event.data.origin ?? { seq } };
      for (const row of view.rows.openUnder('')) {
        if (runsFlow(row)) {
          view.due.push({ kind: 'stopFlow', path: row.path, reason: 'cancel' });
          continue;
        }
        // S4: a doubt is settled before anything is undone.
        const isAboutDoubt = row.status === 'uncertain' || row.kind === 'probe';
        const isUnderWay = row.status === 'running' || isAwaitingCallback(row) || row.kind === 'poll';
        const isKept = isUnderWay || (isAboutDoubt && event.data.compensate);
        if (!isKept) view.due.push({ kind: 'cancel', path: row.path, reason: 'cancel' });
      }
      dueEnd(view);
      break;
    case 'intent.recorded': {
      const row = view.touch(running(view, event));
      row.effect = event.data.effect;
      row.intentSeq = seq;
      if (event.data.reserved) reserve(view, row, event.data.reserved);
      if (event.data.compensates) row.more = { ...row.more, compensates: true };
      if (event.data.probes) row.more = { ...row.more, probes: true };
      break;
    }
    case 'call.answered': {
      const row = view.touch(running(view, event));
      settle(view, row, spendOf(event.data.answer));
      break;
    }
    case 'outcome.succeeded': {
      const row = takeRow(view, event);
      endProbe(view, row);
      settle(view, row, spendOf(event.data.answer));
      view.move(row, 'succeed');
      row.outputSeq = seq;
      row.failure = undefined;
      row.more = withoutFacts(row.more, 'unproven');
      if (row.more?.compensates) holdsEffects(view.run);
      if (event.data.degraded !== undefined) degrade(view, { path: row.path, reason: event.data.degraded });
      if (event.data.callback !== undefined) row.more = { ...row.more, callback: event.data.callback };
      if (event.data.cached) row.more = { ...row.more, cached: true };
      if (event.data.given) row.more = { ...row.more, given: event.data.given };
      if (event.data.calls) openCalls(view, row, event.data.calls);
      ended(view, row, event.data.ports ?? NORMAL_PORT);
      break;
    }
    case 'outcome.failed':
      applyFailure(view, event, seq);
      break;
    case 'compensation.planned':
      applyPlan(view, event.data);
      break;
    case 'compensation.done':
    case 'outcome.late':
    case 'artifact.created':
      break;
    case 'attempt.lost': {
      const row = takeRow(view, event);
      settle(view, row, undefined);
      row.losses = (row.losses ?? 0) + 1;
      if (row.intentSeq !== undefined && row.effect !== 'model') row.more = { ...row.more, unproven: true };
      if (event.data.next === 'ready') view.move(row, 'release');
      else {
        view.move(row, 'doubt');
        row.reason = event.data.reason;
        asksPerson(row, seq);
        if (event.data.probe) beginProbe(view, row);
      }
      stopDue(view, row.path);
      break;
    }
    case 'nodeRun.skipped': {
      const isJoin = nodeOf(view, event.path).inbound.length > 1;
      const found = isJoin ? view.rows.get(event.path) : view.rows.peek(event.path);
      const row = found ?? view.add(newRow(view, event.path, 'pending'));
      settle(view, view.touch(row), undefined);
      view.move(row, 'skip');
      row.deadEdges = event.data.killedBy;
      ended(view, row, NO_PORT);
      break;
    }
    case 'nodeRun.cancelled': {
      const row = known(view, event.path);
      view.touch(row);
      row.attempt = Math.max(row.attempt, event.attempt);
      if (event.data.doubt) row.reason = 'doubt';
      const reason = row.reason;
      settle(view, row, undefined);
      view.move(row, 'cancel');
      row.reason = reason;
      break;
    }
    case 'nodeRun.waiting': {
      const row = known(view, event.path);
      if (row.status === 'ready' && event.data.status !== 'blocked') claimForEvent(view, row, event.attempt);
      view.touch(row).attempt = event.attempt;
      view.move(
        row,
        event.data.status === 'blocked' ? 'block' : event.data.status === 'uncertain' ? 'doubt' : 'wait',
      );
      row.reason = event.data.reason;
      row.wakeAt = event.data.wakeAt;
      row.waitKey = event.data.waitKey;
      if (event.data.signal) row.more = { ...row.more, awaits: event.data.signal };
      if (event.data.needs) asks(view, row, event.data.needs);
      if (event.data.status === 'uncertain') asksPerson(row, seq);
      if (event.data.probe) beginProbe(view, row);
      if (event.data.poll) beginPoll(view, row, event.data.poll, seq);
      break;
    }
    case 'poll.lastAsked':
      applyLastAsked(view, known(view, event.path), event.data);
      break;
    case 'poll.answered':
      applyPollAnswer(view, running(view, event));
      break;
    case 'probe.answered':
      applyAnswer(view, running(view, event));
      break;
    case 'signal.received': {
      const row = view.touch(known(view, event.path));
      row.more = { ...row.more, signal: event.data.signal };
      break;
    }
    case 'inbox.asked': {
      const row = view.touch(running(view, event));
      view.move(row, 'wait');
      row.reason = 'approval';
      row.wakeAt = event.data.wakeAt;
      asksPerson(row, seq);
      if (event.data.onDeadline) row.more = { ...row.more, onDeadline: event.data.onDeadline };
      break;
    }
    case 'inbox.answered': {
      const row = view.touch(known(view, event.path));
      endProbe(view, row);
      row.more = withoutFacts(row.more, 'question', 'onDeadline');
      if (row.reason === 'approval') row.more = { ...row.more, answer: seq };
      if (event.data.decision === 'retry' && event.data.values !== undefined) edited(row, seq);
      break;
    }
    case 'nodeRun.resumed': {
      const row = known(view, event.path);
      view.touch(row);
      if (event.data.reason === 'settled' || event.data.reason === 'retry') {
        settle(view, row, NO_SPEND); // a person said that the call did not happen
        row.intentSeq = row.effect === 'non_repeatable' ? undefined : row.intentSeq;
        if (event.data.reason === 'retry') row.failures = 0;
        else row.more = withoutFacts(row.more, 'unproven');
        row.losses = undefined;
        row.failure = undefined;
        // A consent stands for the call it was given to; an approval that is tried anew asks anew.
        if (row.kind === 'approval') row.more = withoutFacts(row.more, 'answer');
      }
      view.move(row, 'makeReady');
      break;
    }
    case 'map.expanded': {
      const row = running(view, event);
      const { count } = event.data;
      waitForItems(view, row, count, 0);
      const node = nodeOf(view, row.path);
      const window = node.config.kind === 'map' ? (node.config.concurrency ?? DEFAULT_MAP_CONCURRENCY) : 1;
      for (let i = 0; i < Math.min(window, count); i++) openItem(view, row, node);
      if (count === 0) view.move(row, 'makeReady');
      break;
    }
    case 'agent.continued':
    case 'loop.continued': {
      const row = running(view, event);
      const { turn } = event.data;
      waitForItems(view, row, turn + 1, turn);
      row.losses = undefined; // a turn that was begun is progress
      openItem(view, row, nodeOf(view, row.path));
      break;
    }
    default: // only a journal of a newer release can hold one
      throw new TypeError(
        `This release does not know the event ${(event satisfies never as JournalEvent).type}`,
      );
  }
  settleRunStatus(run);
}

/** A limit that was raised may be warned of again. */
function forgetWarnings(run: RunState): void {
  const near = nearLimits(run.limits, run.spent).map(({ unit }) => unit);
  const warned = (run.more?.warned ?? []).filter((unit) => near.includes(unit));
  run.more = warned.length > 0 ? { ...run.more, warned } : withoutFacts(run.more, 'warned');
}

/** Items of a map live at once when the flow does not say. */
export const DEFAULT_MAP_CONCURRENCY = 16;
const NORMAL_PORT: readonly string[] = [''];
const ERROR_PORT: readonly string[] = ['error'];
const NO_PORT: readonly string[] = [];

function applyRunStatus(
  view: RunView,
  data: Extract<JournalEvent, { type: 'run.statusChanged' }>['data'],
  seq: number,
) {
  const { run } = view;
  const moves = {
    running: 'start',
    waiting: 'wait',
    paused: 'pause',
    cancelling: 'askCancel',
    compensating: 'compensate',
    succeeded: 'succeed',
    partial: 'succeedPartly',
    failed: 'fail',
    cancelled: 'cancel',
  } as const;
  if (data.status === 'pending') return;
  const wasPaused = run.status === 'paused';
  if (data.status !== 'paused' || run.status !== 'paused') view.moveRun(moves[data.status]);
  applyPause(view, data);
  if (data.failure) run.failure = data.failure;
  if (isTerminalRun(data.status)) {
    run.outputSeq = seq;
    if (run.more?.parent) view.tell.add('');
  } else settleRunStatus(run);
  if (wasPaused !== (run.status === 'paused')) tellSubFlows(view);
}

/** E11: while nothing else decides it, a run runs when something is active or its end is due, and waits otherwise. */
function settleRunStatus(run: RunState): void {
  if (run.status !== 'pending' && run.status !== 'running' && run.status !== 'waiting') return;
  run.status = run.activeCount > 0 || run.openCount === 0 ? 'running' : 'waiting';
}

function applyFailure(
  view: RunView,
  event: Extract<JournalEvent, { type: 'outcome.failed' }>,
  seq: number,
): void {
  const { failure, next, retryAt, answer, lostSpend, stale, mayHaveHappened } = event.data;
  const row = takeRow(view, event);
  settle(view, row, lostSpend ? undefined : (spendOf(answer) ?? callsOnly(row.reserved)));
  row.failures += 1;
  row.losses = undefined;
  if (event.data.callback !== undefined) row.more = { ...row.more, callback: event.data.callback };
  if (mayHaveHappened) row.more = { ...row.more, unproven: true };
  if (next === 'retry') {
    if (row.effect === 'non_repeatable') row.intentSeq = undefined;
    view.move(row, 'scheduleRetry');
    row.wakeAt = retryAt;
    row.failure = failure;
    return;
  }
  row.failure = failure;
  if (next === 'pause') {
    if (row.status === 'uncertain') view.move(row, 'makeReady');
    if (row.status === 'ready') view.move(row, 'claim');
    if (row.status === 'running') view.move(row, 'wait');
    else view.endWait(row); // one that failed while it waited
    row.reason = 'failure';
    asksPerson(row, seq);
    return;
  }
  if (next === 'fallback') {
    row.more = withoutFacts(row.more, 'compensates'); // what goes on is not what the effect gave: there is nothing to undo
    view.move(row, 'succeed');
    row.outputSeq = seq;
    const kept = stale ? `kept from ${new Date(stale.at).toISOString()}: ` : '';
    degrade(view, { path: row.path, reason: `${kept}${failure.code}` });
    ended(view, row, NORMAL_PORT);
    return;
  }
  if (failure.class === 'cancelled' && isStopping(view, row.path)) {
    view.move(row, 'cancel');
    stopDue(view, row.path);
    return;
  }
  view.move(row, 'fail');
  row.outputSeq = seq;
  if (row.kind === 'undo' || next === 'tell') {
    ended(view, row, NO_PORT);
    return;
  }
  if (next === 'continue') {
    if (!isItem(row)) degrade(view, { path: row.path, reason: failure.code, hasFailed: true });
    ended(view, row, ERROR_PORT);
  } else {
    stopScope(view, scopePathOf(row), failure);
  }
}

/** The row of an event that a worker caused. A claim is not an event (the lease columns own it), so a fold claims here. */
function running(view: RunView, event: JournalEvent): NodeRunState {
  const found = known(view, event.path);
  takeUp(view, found, event.attempt);
  return found;
}

/** What a claim, and the instant at which a tool is asked (T23), would have done: neither is an event. */
function takeUp(view: RunView, row: NodeRunState, attempt: number): void {
  if (row.kind === 'poll' && row.status === 'waiting') view.move(row, 'makeReady');
  if (row.status === 'ready') claimForEvent(view, row, attempt);
}

function claimForEvent(view: RunView, row: NodeRunState, attempt: number): void {
  view.move(row, 'claim');
  row.attempt = attempt;
}

/** The row an outcome is for: running, or taken up by a person's decision. */
function takeRow(view: RunView, event: JournalEvent): NodeRunState {
  const found = known(view, event.path);
  takeUp(view, view.touch(found), event.attempt);
  return found;
}

/** A container waits for its items; those before `done` have ended. */
function waitForItems(view: RunView, row: NodeRunState, count: number, done: number): void {
  view.move(row, 'wait');
  row.reason = 'children';
  row.failure = undefined; // of an earlier try; from here on a failure of the row means that its items stop
  row.itemCount = count;
  row.nextItem = done;
  row.doneItems = done;
  row.failedItems = 0;
}

/** T14: from here on a person's decision is asked for; the event that says so names the question. */
function asksPerson(row: NodeRunState, seq: number): void {
  row.more = { ...row.more, question: seq };
}

/** T19: another effect from here on, with an intent and a key of its own; a consent was for the one before. */
function edited(row: NodeRunState, seq: number): void {
  row.more = { ...withoutFacts(row.more, 'answer'), edited: seq };
  row.intentSeq = undefined;
}

function degrade(view: RunView, degraded: Degraded): void {
  const { run } = view;
  run.isPartial = true;
  if (run.degraded.length < DEGRADED_KEPT && !run.degraded.some(({ path }) => path === degraded.path))
    run.degraded.push(degraded);
}

import { parsePath } from '../graph/topology.ts';
import type { Failure } from '../journal/events.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { isTerminalRun } from '../state/status.ts';
import type { Decision } from './decision.ts';
import type { ControlFact, Verdict } from './facts.ts';
import { fail, nextAfter, onError } from './failures.ts';
import { mayStart, mayStartWork } from './run-view.ts';
import { dueEnd, isStopping } from './stop-scope.ts';
import { waitIsOver } from './waits.ts';
import { giveUp } from './worker-facts.ts';

// Rules kept here: what sweepers and people tell (T5, T9–T11).

/** How many times in a row a node run may be lost with its worker before a person is asked (crash.md §3.5). */
export const LOSSES_BEFORE_PAUSE = 10;

export function control(d: Decision, fact: ControlFact): Verdict {
  const { run, rows } = d.view;
  switch (fact.type) {
    case 'runEnded': {
      if (run.openCount > 0 || !mayStartWork(run) || run.status === 'paused') return 'notMine';
      const status = fact.failure ? 'failed' : run.isPartial ? 'partial' : 'succeeded';
      const output = fact.outputRef
        ? { outputRef: fact.outputRef }
        : fact.failure
          ? {}
          : { output: fact.output ?? null };
      d.append({
        type: 'run.statusChanged',
        path: '',
        attempt: 0,
        data: {
          v: 1,
          status,
          ...output,
          ...(fact.failure && { failure: fact.failure }),
          ...(run.degraded.length > 0 && { degraded: run.degraded }),
        },
      });
      return 'applied';
    }
    case 'lost':
      return lost(d, fact);
    case 'timerDue': {
      const row = rows.get(fact.path);
      if (row?.wakeAt === undefined || row.wakeAt > d.nowMs || !mayStart(run, row)) return 'notMine';
      if (row.status === 'waiting') return waitIsOver(d, row);
      if (row.status !== 'retry_wait') return 'notMine';
      resume(d, row, 'timer');
      return 'applied';
    }
    case 'cancel':
      if (isTerminalRun(run.status)) return 'refused';
      if (run.status === 'cancelling' || (run.status === 'compensating' && run.more?.undoOnCancel))
        return 'applied';
      d.append({
        type: 'run.cancelRequested',
        path: '',
        attempt: 0,
        data: {
          v: 1,
          by: fact.by,
          ...(fact.reason !== undefined && { reason: fact.reason }),
          ...(fact.compensate && { compensate: true as const }),
        },
      });
      return 'applied';
    case 'graceOver':
      return graceOver(d);
    case 'settle':
      return settle(d, fact);
    case 'retryNode': {
      const row = rows.get(fact.path);
      if (row?.status !== 'waiting' || row.reason !== 'failure' || !mayStart(run, row)) return 'refused';
      if (isStoppedContainer(d, row)) return 'refused';
      resume(d, row, 'retry', fact.by);
      return 'applied';
    }
    case 'raiseBudget': {
      if (isTerminalRun(run.status)) return 'refused';
      d.append({
        type: 'run.budgetChanged',
        path: '',
        attempt: 0,
        data: { v: 1, limits: { ...run.limits, ...fact.limits } as never, by: fact.by },
      });
      for (const row of rows.openUnder('')) if (row.status === 'blocked') resume(d, row, 'budget', fact.by);
      if (run.status === 'paused') {
        d.append({
          type: 'run.statusChanged',
          path: '',
          attempt: 0,
          data: { v: 1, status: 'running', reason: 'budget' },
        });
      }
      return 'applied';
    }
    case 'overtime':
      if (run.status !== 'pending' && run.status !== 'running' && run.status !== 'waiting') return 'notMine';
      d.append({
        type: 'run.statusChanged',
        path: '',
        attempt: 0,
        data: { v: 1, status: 'paused', reason: 'wall_clock' },
      });
      return 'applied';
  }
}

function graceOver(d: Decision): Verdict {
  const { run, rows } = d.view;
  if (run.status !== 'cancelling') return 'notMine';
  // S4: what may have happened is settled before anything is undone.
  const open = rows.openUnder('').filter((row) => !run.more?.undoOnCancel || row.status !== 'uncertain');
  for (const row of open) {
    const { path, attempt } = row;
    const isDoubt = row.intentSeq !== undefined && row.effect === 'non_repeatable';
    if (isDoubt && run.more?.undoOnCancel)
      d.append({
        type: 'nodeRun.waiting',
        path,
        attempt,
        data: { v: 1, status: 'uncertain', reason: 'grace' },
      });
    else {
      const doubt = isDoubt ? { doubt: true as const } : {};
      d.append({ type: 'nodeRun.cancelled', path, attempt, data: { v: 1, reason: 'grace', ...doubt } });
    }
  }
  dueEnd(d.view);
  return open.length > 0 ? 'applied' : 'notMine';
}

function resume(
  d: Decision,
  row: NodeRunState,
  reason: 'timer' | 'settled' | 'budget' | 'retry',
  by?: string,
): void {
  d.append({
    type: 'nodeRun.resumed',
    path: row.path,
    attempt: row.attempt,
    data: { v: 1, reason, ...(by !== undefined && { by }) },
  });
}

/** V5: a lost non-repeatable attempt with an intent is doubt; everything else is run again. */
function lost(d: Decision, fact: Extract<ControlFact, { type: 'lost' }>): Verdict {
  const row = d.view.rows.get(fact.path);
  if (row?.status !== 'running' || row.workerId !== fact.workerId || row.attempt !== fact.attempt)
    return 'notMine';
  const { path, attempt } = row;
  const isDoubt = row.effect === 'non_repeatable' && row.intentSeq !== undefined;
  const { workerId, reason } = fact;
  d.append({
    type: 'attempt.lost',
    path,
    attempt,
    data: { v: 1, workerId, next: isDoubt ? 'uncertain' : 'ready', reason },
  });
  if (isDoubt) return 'applied';
  if (isStopping(d.view, path)) {
    giveUp(d, row);
  } else if ((row.losses ?? 0) >= LOSSES_BEFORE_PAUSE) {
    const message = `Node run ${path} was lost with its worker ${LOSSES_BEFORE_PAUSE} times; look at the workers, then retry, settle or skip it.`;
    fail(d, row, attempt, { code: 'lost_too_often', message, class: 'lost' }, 'pause');
  }
  return 'applied';
}

function settle(d: Decision, fact: Extract<ControlFact, { type: 'settle' }>): Verdict {
  const { run, rows } = d.view;
  const row = rows.get(fact.path);
  const isOpen = row?.status === 'uncertain' || (row?.status === 'waiting' && row.reason === 'failure');
  if (!row || !isOpen || isTerminalRun(run.status)) return 'refused';
  const { path, attempt } = row;
  switch (fact.verdict) {
    case 'happened':
      d.append({
        type: 'outcome.succeeded',
        path,
        attempt,
        data: { v: 1, output: fact.output, settledBy: fact.by },
      });
      return 'applied';
    case 'did_not_happen':
      if (isStoppedContainer(d, row)) return 'refused';
      if (isStopping(d.view, path)) giveUp(d, row);
      else resume(d, row, 'settled', fact.by);
      return 'applied';
    case 'skip':
      d.append({
        type: 'nodeRun.skipped',
        path,
        attempt,
        data: { v: 1, killedBy: [`settled by ${fact.by}`], settledBy: fact.by },
      });
      return 'applied';
    case 'fail': {
      const message = fact.reason ?? `Node run ${path} was settled as failed by ${fact.by}.`;
      const failure: Failure = { code: 'settled_as_failed', message, class: 'permanent' };
      // A person's word ends it: to wait for a person again would make `fail` mean nothing.
      const next = nextAfter(onError(d, path), failure);
      fail(d, row, attempt, failure, next === 'pause' || isStopping(d.view, path) ? 'stop' : next, {
        settledBy: fact.by,
      });
      return 'applied';
    }
  }
}

/** E7: a container whose items were stopped is not gone on with; its items and what they did are gone from it. */
function isStoppedContainer(d: Decision, row: NodeRunState): boolean {
  if (row.itemCount === undefined) return false;
  const { config } = parsePath(d.view.graph, row.path)!.node;
  const isStoppedByItem = config.kind !== 'map' || (config.onItemError ?? 'fail') === 'fail';
  return row.doneItems !== row.itemCount || (isStoppedByItem && (row.failedItems ?? 0) > 0);
}

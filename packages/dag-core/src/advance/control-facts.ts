import { outputData } from '../journal/output-data.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { isTerminalRun } from '../state/status.ts';
import { callbackIsOverdue, calledBack } from './callbacks.ts';
import type { Decision } from './decision.ts';
import type { ControlFact, Verdict } from './facts.ts';
import { fail } from './failures.ts';
import { giveUp } from './give-up.ts';
import { overtime, pauseRun, raiseBudget, resumeRun, timedOut } from './pausing.ts';
import { retryNode, settle } from './people.ts';
import { askLast, pollGivenUp, pollIsDue } from './polls.ts';
import { asksTool, probeFailed } from './probes.ts';
import { answer } from './questions.ts';
import { resume } from './resume.ts';
import { mayStart, mayStartWork } from './run-view.ts';
import { dueEnd, isAwaitingCallback, isStopping, runsFlow } from './stop-scope.ts';
import { parentSaid, subFlowSaid } from './sub-flows.ts';
import { signalled, waitIsOver } from './waits.ts';

// Rules kept here: what sweepers and people tell (T5, T9–T11).

/** How many times in a row a node run may be lost with its worker before a person is asked (crash.md §3.5). */
export const LOSSES_BEFORE_PAUSE = 10;

export function control(d: Decision, fact: ControlFact): Verdict {
  const { run, rows } = d.view;
  switch (fact.type) {
    case 'runEnded': {
      if (run.openCount > 0 || !mayStartWork(run) || run.status === 'paused') return 'notMine';
      const status = fact.failure ? 'failed' : run.isPartial ? 'partial' : 'succeeded';
      const { output = null, outputRef } = fact;
      d.append({
        type: 'run.statusChanged',
        path: '',
        attempt: 0,
        data: {
          v: 1,
          status,
          ...(fact.failure ? { failure: fact.failure } : outputData({ output, outputRef })),
          ...(run.degraded.length > 0 && { degraded: run.degraded }),
        },
      });
      return 'applied';
    }
    case 'lost':
      return lost(d, fact);
    case 'timerDue': {
      const row = rows.get(fact.path);
      if (row?.wakeAt === undefined || row.wakeAt > d.nowMs) return 'notMine';
      if (isAwaitingCallback(row)) return askLast(d, row) ?? callbackIsOverdue(d, row);
      if (!mayStart(run, row)) return 'notMine';
      if (row.kind === 'poll') return pollIsDue(d, row);
      if (row.status === 'waiting') return waitIsOver(d, row);
      if (row.status !== 'retry_wait') return 'notMine';
      resume(d, row, 'timer');
      return 'applied';
    }
    case 'signal':
      return signalled(d, fact);
    case 'callback':
      return calledBack(d, fact);
    case 'subFlowSaid':
      return subFlowSaid(d, fact);
    case 'parentSaid':
      return parentSaid(d, fact);
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
    case 'retryNode':
      return retryNode(d, fact);
    case 'answer':
      return answer(d, fact);
    case 'pauseRun':
      return pauseRun(d, fact);
    case 'resumeRun':
      return resumeRun(d, fact);
    case 'raiseBudget':
      return raiseBudget(d, fact);
    case 'overtime':
      return overtime(d);
    case 'timedOut':
      return timedOut(d);
  }
}

function graceOver(d: Decision): Verdict {
  const { run, rows } = d.view;
  if (run.status !== 'cancelling') return 'notMine';
  // S4: what may have happened is settled before anything is undone.
  // F5: the run of a sub-flow has a grace time of its own.
  const isKept = (row: NodeRunState) =>
    runsFlow(row) || (run.more?.undoOnCancel && (row.status === 'uncertain' || row.kind === 'probe'));
  const open = rows.openUnder('').filter((row) => !isKept(row));
  for (const row of open) {
    const { path, attempt } = row;
    const isDoubt = row.intentSeq !== undefined && row.effect === 'non_repeatable';
    if (isDoubt && run.more?.undoOnCancel)
      d.append({
        type: 'nodeRun.waiting',
        path,
        attempt,
        data: {
          v: 1,
          status: 'uncertain',
          reason: 'grace',
          ...(row.status === 'running' && { stillRuns: true as const }),
          ...asksTool(d, row),
        },
      });
    else {
      const doubt = isDoubt ? { doubt: true as const } : {};
      d.append({ type: 'nodeRun.cancelled', path, attempt, data: { v: 1, reason: 'grace', ...doubt } });
    }
  }
  dueEnd(d.view);
  return open.length > 0 ? 'applied' : 'notMine';
}

/** V5: a lost non-repeatable attempt with an intent is doubt; everything else is run again. */
function lost(d: Decision, fact: Extract<ControlFact, { type: 'lost' }>): Verdict {
  const row = d.view.rows.get(fact.path);
  if (row?.status !== 'running' || row.workerId !== fact.workerId || row.attempt !== fact.attempt)
    return 'notMine';
  const { path, attempt } = row;
  const isDoubt = row.effect === 'non_repeatable' && row.intentSeq !== undefined;
  const { workerId, reason, isEnded } = fact;
  d.append({
    type: 'attempt.lost',
    path,
    attempt,
    data: {
      v: 1,
      workerId,
      next: isDoubt ? 'uncertain' : 'ready',
      reason,
      ...(isEnded && { ended: true as const }),
      ...(isDoubt && asksTool(d, row)),
    },
  });
  if (isDoubt) return 'applied';
  if (isStopping(d.view, path)) {
    giveUp(d, row);
  } else if ((row.losses ?? 0) >= LOSSES_BEFORE_PAUSE) {
    const message = `Node run ${path} was lost with its worker ${LOSSES_BEFORE_PAUSE} times; look at the workers, then retry, settle or skip it.`;
    const failure = { code: 'lost_too_often', message, class: 'lost' } as const;
    if (row.kind === 'probe') probeFailed(d, row, failure);
    else if (row.kind === 'poll') pollGivenUp(d, row, failure);
    else fail(d, row, attempt, failure, 'pause');
  }
  return 'applied';
}

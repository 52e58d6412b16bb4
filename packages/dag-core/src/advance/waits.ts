import type { NodeRunState } from '../state/run-state.ts';
import { instantText } from '../time/instant.ts';
import type { Decision } from './decision.ts';
import type { Verdict, WorkerFact } from './facts.ts';
import { questionIsOverdue } from './questions.ts';
import { timerEnd } from './timer-end.ts';

// Rules kept here: K14, T13: a node run that waits holds no worker and goes on once.

/** A worker has computed what the node run waits for. */
export function waits(d: Decision, fact: Extract<WorkerFact, { type: 'waits' }>, row: NodeRunState): Verdict {
  const { path, attempt, clock } = fact;
  const wakeAt = timerEnd(d, fact, row);
  if (wakeAt === 'too_long') return 'applied';
  if (wakeAt <= d.nowMs) {
    timeIsUp(d, row, wakeAt, clock);
    return 'applied';
  }
  d.append({
    type: 'nodeRun.waiting',
    path,
    attempt,
    data: { v: 1, status: 'waiting', reason: 'timer', wakeAt, ...(clock !== undefined && { clock }) },
  });
  return 'applied';
}

/** The instant a waiting node run waits for has come. */
export function waitIsOver(d: Decision, row: NodeRunState): Verdict {
  switch (row.reason) {
    case 'timer':
      timeIsUp(d, row, row.wakeAt!);
      return 'applied';
    case 'approval':
      questionIsOverdue(d, row);
      return 'applied';
    default:
      return 'notMine';
  }
}

function timeIsUp(d: Decision, { path, attempt }: NodeRunState, wakeAt: number, clock?: number): void {
  const output = { until: instantText(wakeAt), at: instantText(d.nowMs) };
  const data = { v: 1 as const, output, ...(clock !== undefined && { clock }) };
  d.append({ type: 'outcome.succeeded', path, attempt, data });
}

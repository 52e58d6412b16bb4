import type { Failure } from '../journal/events.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { addDuration, TEN_YEARS } from '../time/duration.ts';
import { instantText } from '../time/instant.ts';
import type { Decision } from './decision.ts';
import type { Verdict, WorkerFact } from './facts.ts';
import { failed } from './failures.ts';

// Rules kept here: K14, T13: a node run that waits holds no worker, and its instant is one of the database's clock.

/** A worker has computed what the node run waits for. */
export function waits(d: Decision, fact: Extract<WorkerFact, { type: 'waits' }>, row: NodeRunState): Verdict {
  const { path, attempt, workerId } = fact;
  const wakeAt = fact.until ?? addDuration(d.nowMs, fact.for!);
  if (wakeAt > addDuration(d.nowMs, TEN_YEARS))
    return failed(
      d,
      { type: 'failed', path, attempt, workerId, failure: tooLong(path, wakeAt), random: 0 },
      row,
    );
  const clock = fact.clock !== undefined && { clock: fact.clock };
  if (wakeAt <= d.nowMs) {
    timeIsUp(d, row, wakeAt, fact.clock);
    return 'applied';
  }
  d.append({
    type: 'nodeRun.waiting',
    path,
    attempt,
    data: { v: 1, status: 'waiting', reason: 'timer', wakeAt, ...clock },
  });
  return 'applied';
}

const tooLong = (path: string, wakeAt: number): Failure => ({
  code: 'wait_too_long',
  message: `Node run ${path} would wait until ${instantText(wakeAt)}: a timer lasts ten years at most.`,
  class: 'permanent',
});

/** The instant a waiting node run waits for has come. */
export function waitIsOver(d: Decision, row: NodeRunState): Verdict {
  if (row.reason !== 'timer') return 'notMine';
  timeIsUp(d, row, row.wakeAt!);
  return 'applied';
}

function timeIsUp(d: Decision, { path, attempt }: NodeRunState, wakeAt: number, clock?: number): void {
  const output = { until: instantText(wakeAt), at: instantText(d.nowMs) };
  const data = { v: 1 as const, output, ...(clock !== undefined && { clock }) };
  d.append({ type: 'outcome.succeeded', path, attempt, data });
}

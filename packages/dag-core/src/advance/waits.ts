import type { Failure } from '../journal/events.ts';
import { TIMEOUT_PORT } from '../kinds/index.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { instantText } from '../time/instant.ts';
import type { Decision } from './decision.ts';
import type { ControlFact, Verdict, WorkerFact } from './facts.ts';
import { fail, nextAfter, onError } from './failures.ts';
import { questionIsOverdue } from './questions.ts';
import { mayStart, nodeOf } from './run-view.ts';
import { timerEnd } from './timer-end.ts';

// Rules kept here: K14, T13, T18: a node run that waits holds no worker and goes on once; a signal is taken by one node run, once.

/** A worker has computed what the node run waits for. */
export function waits(d: Decision, fact: Extract<WorkerFact, { type: 'waits' }>, row: NodeRunState): Verdict {
  const { path, attempt, clock, signal } = fact;
  const wakeAt = fact.until !== undefined || fact.for ? timerEnd(d, fact, row) : undefined;
  if (wakeAt === 'too_long') return 'applied';
  if (!signal && wakeAt! <= d.nowMs) {
    timeIsUp(d, row, wakeAt!, clock);
    return 'applied';
  }
  d.append({
    type: 'nodeRun.waiting',
    path,
    attempt,
    data: {
      v: 1,
      status: 'waiting',
      reason: signal ? 'signal' : 'timer',
      ...(wakeAt !== undefined && { wakeAt }),
      ...(signal && { signal: { name: signal.name, key: signal.key }, waitKey: signal.waitKey }),
      ...(clock !== undefined && { clock }),
    },
  });
  return 'applied';
}

/** The instant a waiting node run waits for, at most, has come. */
export function waitIsOver(d: Decision, row: NodeRunState): Verdict {
  switch (row.reason) {
    case 'timer':
      timeIsUp(d, row, row.wakeAt!);
      return 'applied';
    case 'signal':
      signalIsOverdue(d, row);
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

function signalIsOverdue(d: Decision, row: NodeRunState): void {
  const { path, attempt, wakeAt, more } = row;
  const until = instantText(wakeAt!);
  const { config } = nodeOf(d.view, path);
  if (config.kind === 'wait' && config.onDeadline === 'continue') {
    const output = { until, at: instantText(d.nowMs) };
    d.append({ type: 'outcome.succeeded', path, attempt, data: { v: 1, output, ports: [TIMEOUT_PORT] } });
    return;
  }
  const failure: Failure = {
    code: 'deadline_passed',
    message: `The signal ${more?.awaits?.name} that ${path} waits for did not come by ${until}.`,
    class: 'permanent',
  };
  fail(d, row, attempt, failure, nextAfter(onError(d, path), failure));
}

/** T18: the signal that was set aside for a node run reaches it; told again it changes nothing. */
export function signalled(d: Decision, fact: Extract<ControlFact, { type: 'signal' }>): Verdict {
  const row = d.view.rows.get(fact.path);
  const { id, name, key, payload, by, sentAt, fromRun } = fact.signal;
  if (!row) return 'notMine';
  if (row.more?.signal === id) return 'applied';
  if (row.status !== 'waiting' || row.waitKey !== fact.waitKey || !mayStart(d.view.run, row))
    return 'notMine';
  const { path, attempt } = row;
  d.append({
    type: 'signal.received',
    path,
    attempt,
    data: { v: 1, signal: id, name, key, by, sentAt, ...(fromRun !== undefined && { fromRun }) },
  });
  const output = { name, key, payload, id, by, sentAt: instantText(sentAt) };
  d.append({ type: 'outcome.succeeded', path, attempt, data: { v: 1, output } });
  return 'applied';
}

import type { Failure } from '../journal/events.ts';
import { outputData } from '../journal/output-data.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { instantText } from '../time/instant.ts';
import type { Decision } from './decision.ts';
import type { ControlFact, Verdict, WorkerFact } from './facts.ts';
import { failed } from './failures.ts';
import { isAwaitingCallback } from './stop-scope.ts';

// Rules kept here: T22: a service that took a call tells later how it ended; once, and by the deadline.

/** Who settles a doubt when the service itself told what happened. */
const CALLBACK = 'callback';

/** The service took the call. It is under way there, also in a scope that stops. */
export function accepted(
  d: Decision,
  { path, attempt, deadlineMs, data, clock }: Extract<WorkerFact, { type: 'accepted' }>,
): Verdict {
  d.append({
    type: 'nodeRun.waiting',
    path,
    attempt,
    data: {
      v: 1,
      status: 'waiting',
      reason: 'callback',
      ...(data !== undefined && { detail: data }),
      wakeAt: d.nowMs + deadlineMs,
      ...(clock !== undefined && { clock }),
    },
  });
  return 'applied';
}

type Callback = Extract<ControlFact, { type: 'callback' }>;

/** What the service says counts for the attempt it was asked in; anything else is evidence. */
export function calledBack(d: Decision, fact: Callback): Verdict {
  const row = d.view.rows.get(fact.path);
  if (!row || fact.attempt > row.attempt || fact.attempt < 1) return 'notMine';
  if (row.more?.callback === fact.callback) return 'applied';
  const isUnderWay = row.status === 'running' || isAwaitingCallback(row);
  if (isAbout(row, fact) && isUnderWay) return fact.failure ? refused(d, row, fact) : succeeded(d, row, fact);
  if (isAbout(row, fact) && row.status === 'uncertain' && !fact.failure)
    return succeeded(d, row, fact, { settledBy: CALLBACK });
  const { path, attempt, callback } = fact;
  const given = fact.failure ? { failure: fact.failure } : outputData(fact);
  d.append({ type: 'outcome.late', path, attempt, data: { v: 1, ...given, callback } });
  return 'late';
}

/** An idempotent effect is one effect in all its attempts, while its arguments are the same. */
const isAbout = (row: NodeRunState, { attempt }: Callback): boolean =>
  row.intentSeq !== undefined &&
  (row.attempt === attempt || (row.effect === 'idempotent' && row.more?.edited === undefined));

function succeeded(
  d: Decision,
  { path, attempt }: NodeRunState,
  fact: Exclude<Callback, { readonly failure: Failure }>,
  settled: { settledBy?: string } = {},
): Verdict {
  const isAfterCancel = d.view.run.status === 'cancelling';
  d.append({
    type: 'outcome.succeeded',
    path,
    attempt,
    data: {
      v: 1,
      ...outputData(fact),
      ...(isAfterCancel && { afterCancel: true as const }),
      ...settled,
      callback: fact.callback,
    },
  });
  return 'applied';
}

function refused(d: Decision, row: NodeRunState, fact: Callback & { readonly failure: Failure }): Verdict {
  const { path, attempt } = row;
  const { failure, random, callback } = fact;
  return failed(d, { type: 'failed', path, attempt, workerId: '', failure, random, callback }, row);
}

/** The deadline has come and the service said nothing: what repeating the call does decides. */
export function callbackIsOverdue(d: Decision, row: NodeRunState): Verdict {
  const { path, attempt, wakeAt } = row;
  const failure: Failure = {
    code: 'callback_overdue',
    message: `The service that took the call of ${path} did not say by ${instantText(wakeAt!)} how it ended.`,
    class: 'timed_out',
  };
  return failed(
    d,
    { type: 'failed', path, attempt, workerId: '', failure, isAmbiguous: true, random: 0 },
    row,
  );
}

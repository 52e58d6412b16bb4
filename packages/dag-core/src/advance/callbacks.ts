import type { Failure } from '../journal/events.ts';
import { outputData } from '../journal/output-data.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { instantText } from '../time/instant.ts';
import type { Decision } from './decision.ts';
import type { ControlFact, GivenOutput, Verdict, WorkerFact } from './facts.ts';
import { failed } from './failures.ts';
import { isAwaitingCallback } from './stop-scope.ts';

// Rules kept here: T22: a service that took a call tells later how it ended; once, and by the deadline.

/** The service took the call. It is under way there, also in a scope that stops. */
export function accepted(
  d: Decision,
  { path, attempt, deadlineMs, data, poll, clock }: Extract<WorkerFact, { type: 'accepted' }>,
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
      ...(poll && { poll: { at: d.nowMs + poll.everyMs, ...poll } }),
      ...(clock !== undefined && { clock }),
    },
  });
  return 'applied';
}

/** What a service says about a call that it took, and the hash of attempt and what it said. */
type Told = {
  readonly path: string;
  readonly attempt: number;
  readonly callback: string;
  readonly random: number;
} & ((GivenOutput & { readonly failure?: undefined }) | { readonly failure: Failure });

/** By which way the service's word came; who settles a doubt when it tells what happened. */
type Way = 'callback' | 'poll';

export const calledBack = (d: Decision, fact: Extract<ControlFact, { type: 'callback' }>): Verdict =>
  told(d, fact, 'callback');

/** What the service says counts for the attempt it was asked in; anything else is evidence. */
export function told(d: Decision, fact: Told, way: Way): Verdict {
  const row = d.view.rows.get(fact.path);
  if (!row || fact.attempt > row.attempt || fact.attempt < 1) return 'notMine';
  if (row.more?.callback === fact.callback) return 'applied';
  const isUnderWay = row.status === 'running' || isAwaitingCallback(row);
  if (isAbout(row, fact) && isUnderWay) return fact.failure ? refused(d, row, fact) : succeeded(d, row, fact);
  if (isAbout(row, fact) && row.status === 'uncertain' && !fact.failure)
    return succeeded(d, row, fact, { settledBy: way });
  const { path, attempt, callback } = fact;
  const given = fact.failure ? { failure: fact.failure } : outputData(fact);
  d.append({ type: 'outcome.late', path, attempt, data: { v: 1, ...given, callback } });
  return 'late';
}

/** An idempotent effect is one effect in all its attempts, while its arguments are the same. */
const isAbout = (row: NodeRunState, { attempt }: Told): boolean =>
  row.intentSeq !== undefined &&
  (row.attempt === attempt || (row.effect === 'idempotent' && row.more?.edited === undefined));

function succeeded(
  d: Decision,
  { path, attempt }: NodeRunState,
  fact: Exclude<Told, { readonly failure: Failure }>,
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

function refused(d: Decision, row: NodeRunState, fact: Told & { readonly failure: Failure }): Verdict {
  const { path, attempt } = row;
  const { failure, random, callback } = fact;
  return failed(d, { type: 'failed', path, attempt, workerId: '', failure, random, callback }, row);
}

/** The deadline has come and the service said nothing: what repeating the call does decides. */
export function callbackIsOverdue(d: Decision, row: NodeRunState, asked?: Failure): Verdict {
  const { path, attempt, wakeAt, more } = row;
  const by = instantText(more?.lastAsk ?? wakeAt!);
  const why = asked ? ` Asked for the last time, its tool failed: ${asked.message}` : '';
  const failure: Failure = {
    code: 'callback_overdue',
    message: `The service that took the call of ${path} did not say by ${by} how it ended.${why}`,
    class: 'timed_out',
  };
  return failed(
    d,
    { type: 'failed', path, attempt, workerId: '', failure, isAmbiguous: true, random: 0 },
    row,
  );
}

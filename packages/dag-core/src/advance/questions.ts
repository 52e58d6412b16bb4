import type { Failure, InboxDecision } from '../journal/events.ts';
import type { Json } from '../json.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { instantText } from '../time/instant.ts';
import type { Decision } from './decision.ts';
import type { ControlFact, Verdict, WorkerFact } from './facts.ts';
import { fail, nextAfter, onError } from './failures.ts';
import { resume } from './resume.ts';
import { mayStart } from './run-view.ts';
import { timerEnd } from './timer-end.ts';

// Rules kept here: T14: a question is named by the event that asked it and has one answer; whatever comes second is refused.

/** A worker asks a person in the name of its node run, which waits for the answer. */
export function asks(d: Decision, fact: Extract<WorkerFact, { type: 'asks' }>, row: NodeRunState): Verdict {
  const { path, attempt, question, clock } = fact;
  const wakeAt = fact.until !== undefined || fact.for ? timerEnd(d, fact, row) : undefined;
  if (wakeAt === 'too_long') return 'applied';
  d.append({
    type: 'inbox.asked',
    path,
    attempt,
    data: {
      v: 1,
      ...question,
      ...(wakeAt !== undefined && { wakeAt }),
      ...(clock !== undefined && { clock }),
    },
  });
  return 'applied';
}

/** The node run goes on with the answer to what it asked. */
export function answer(d: Decision, fact: Extract<ControlFact, { type: 'answer' }>): Verdict {
  const row = d.view.rows.get(fact.path);
  if (row?.status !== 'waiting' || row.reason !== 'approval' || !mayStart(d.view.run, row)) return 'refused';
  if (!isAsked(row, fact)) return 'refused';
  const { decision, values, reason, by } = fact;
  answered(d, row, by, decision, { values, reason });
  resume(d, row, 'answered', by);
  return 'applied';
}

/** Who answers in the place of everybody who did not. */
const DEADLINE = 'deadline';

/** Nobody has answered in time. */
export function questionIsOverdue(d: Decision, row: NodeRunState): void {
  const { path, attempt, wakeAt, more } = row;
  if (more?.onDeadline === 'approve' || more?.onDeadline === 'reject') {
    answered(d, row, DEADLINE, more.onDeadline === 'approve' ? 'approved' : 'rejected');
    resume(d, row, 'answered', DEADLINE);
    return;
  }
  const failure: Failure = {
    code: 'deadline_passed',
    message: `Nobody answered the question of ${path} by ${instantText(wakeAt!)}.`,
    class: 'permanent',
  };
  fail(d, row, attempt, failure, nextAfter(onError(d, path), failure));
}

/** C74: an answer is for the question it names, never for the one that follows. */
export const isAsked = (row: NodeRunState, { question }: { readonly question?: number }): boolean =>
  question === undefined || question === row.more?.question;

/** Records the answer to the question of a node run; what follows from it is appended next. */
export function answered(
  d: Decision,
  { path, attempt, more }: NodeRunState,
  by: string,
  decision: InboxDecision,
  { values, reason, late }: { readonly values?: Json; readonly reason?: string; readonly late?: number } = {},
): void {
  d.append({
    type: 'inbox.answered',
    path,
    attempt,
    data: {
      v: 1,
      question: more!.question!,
      decision,
      by,
      ...(values !== undefined && { values }),
      ...(reason !== undefined && { reason }),
      ...(late !== undefined && { late }),
    },
  });
}

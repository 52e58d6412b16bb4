import { pollPath } from '../graph/topology.ts';
import type { Failure, JournalEvent } from '../journal/events.ts';
import { pollDelayMs } from '../state/poll-delay.ts';
import { type NodeRunState, withoutFacts } from '../state/run-state.ts';
import { callbackIsOverdue, told } from './callbacks.ts';
import type { Decision } from './decision.ts';
import { openPoll } from './edges-and-scopes.ts';
import type { Verdict, WorkerFact } from './facts.ts';
import { known, type RunView } from './run-view.ts';
import { scopePathOf } from './stop-scope.ts';

// Rules kept here: T23: a tool that can is asked how a call stands that its service took. To ask and to be told "not yet" decides
// nothing and is no event (T6), however often it happens; what the service says is recorded, once.

/** How long the last question may take, once the deadline of the call has come. */
const LAST_ASK_MS = 60_000;

type Accepting = NonNullable<Extract<JournalEvent, { type: 'nodeRun.waiting' }>['data']['poll']>;

/** Opens the node run that asks; `seq` is the place of what the service gave when it took the call. */
export function beginPoll(view: RunView, row: NodeRunState, { at, everyMs }: Accepting, seq: number): void {
  row.more = { ...row.more, polling: seq };
  openPoll(view, row, pollPath(row.path, row.attempt), at, everyMs);
}

type Polled = Extract<WorkerFact, { type: 'polled' }>;

/** What the tool says about the call; a word that comes when nobody waits for it any more is one of its service all the same. */
export function polled(d: Decision, fact: Polled, asking: NodeRunState | undefined): Verdict {
  if (fact.answer === 'not_yet') return asking ? notYet(d, asking, fact) : 'notMine';
  if (asking) answered(d, asking, { says: fact.answer });
  const { path, random, callback } = fact;
  const cut = path.lastIndexOf('/');
  const attempt = Number(path.slice(path.lastIndexOf('-') + 1));
  const said = fact.answer === 'failed' ? { failure: fact.failure } : withoutAnswer(fact);
  return told(d, { path: path.slice(0, cut), attempt, callback, random, ...said }, 'poll');
}

const withoutAnswer = ({ output, outputRef }: Extract<Polled, { answer: 'done' }>) => ({
  output,
  ...(outputRef && { outputRef }),
});

/** A poll only looks, so one that failed is made again. */
export function pollFailed(
  d: Decision,
  { random, failure }: Extract<WorkerFact, { type: 'failed' }>,
  row: NodeRunState,
): Verdict {
  const { retryAfterMs } = failure;
  return notYet(d, row, { random, failure, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}

/** It is asked again later. After the last question the deadline has its way. */
function notYet(
  d: Decision,
  row: NodeRunState,
  { random, retryAfterMs, failure }: { random: number; retryAfterMs?: number; failure?: Failure },
): Verdict {
  const call = known(d.view, scopePathOf(row));
  if (call.more?.lastAsk !== undefined) {
    answered(d, row, { says: 'not_yet', ...(failure && { failure }) });
    return callbackIsOverdue(d, call, failure);
  }
  d.view.move(row, 'wait');
  row.wakeAt = d.nowMs + pollDelayMs(row.attempt, row.more!.pollEveryMs!, random, retryAfterMs);
  row.failure = failure;
  row.losses = undefined;
  return 'applied';
}

/** The instant at which it is asked has come. */
export function pollIsDue(d: Decision, row: NodeRunState): Verdict {
  if (row.status !== 'waiting') return 'notMine';
  d.view.move(row, 'makeReady');
  return 'applied';
}

/** The deadline of a call that is asked about has come: its tool is asked one last time, unless it was. */
export function askLast(d: Decision, call: NodeRunState): Verdict | undefined {
  const { path, attempt, wakeAt, more } = call;
  if (more?.polling === undefined || more.lastAsk !== undefined) return undefined;
  const data = { v: 1 as const, deadline: wakeAt!, wakeAt: d.nowMs + LAST_ASK_MS };
  d.append({ type: 'poll.lastAsked', path, attempt, data });
  return 'applied';
}

type LastAsked = Extract<JournalEvent, { type: 'poll.lastAsked' }>;

export function applyLastAsked(
  view: RunView,
  call: NodeRunState,
  { deadline, wakeAt }: LastAsked['data'],
): void {
  view.touch(call).wakeAt = wakeAt;
  call.more = { ...call.more, lastAsk: deadline };
  const asking = known(view, pollPath(call.path, call.attempt));
  // One that is under way is the last.
  if (asking.status === 'waiting') view.move(asking, 'makeReady');
}

/** It was lost too often: nobody asks any more, and what is left is the callback or the deadline. */
export function pollGivenUp(d: Decision, row: NodeRunState, failure: Failure): void {
  answered(d, row, { says: 'unknown', failure });
}

type Answered = Extract<JournalEvent, { type: 'poll.answered' }>;

function answered(d: Decision, { path, attempt }: NodeRunState, data: Omit<Answered['data'], 'v'>): void {
  d.append({ type: 'poll.answered', path, attempt, data: { v: 1, ...data } });
}

export function applyPollAnswer(view: RunView, row: NodeRunState): void {
  view.move(row, 'succeed');
  const call = view.touch(known(view, scopePathOf(row)));
  call.more = withoutFacts(call.more, 'polling');
}

import type { JournalEvent } from '../journal/events.ts';
import { withoutFacts } from '../state/run-state.ts';
import { isTerminalRun } from '../state/status.ts';
import type { Decision } from './decision.ts';
import type { ControlFact, Verdict } from './facts.ts';
import { resume } from './resume.ts';
import type { RunView } from './run-view.ts';
import { stopScope } from './stop-scope.ts';
import { grantAgain, lacksBudget } from './tree-budget.ts';

// Rules kept here: T10, T15, T16: what holds a run up as a whole, and what lets it go on.

type Told<T extends ControlFact['type']> = Extract<ControlFact, { type: T }>;

/** T15: a person holds the run up. What is claimed already goes on; nothing more is. */
export function pauseRun(d: Decision, { by, reason: why }: Told<'pauseRun'>): Verdict {
  const { run } = d.view;
  if (isTerminalRun(run.status) || run.status === 'cancelling' || run.status === 'compensating')
    return 'refused';
  if (run.more?.pause?.reason !== 'person')
    changeStatus(d, { status: 'paused', reason: 'person', by, ...(why !== undefined && { why }) });
  return 'applied';
}

/** T15: only what a person held up goes on by a person's word; without room in the budget it waits for that. */
export function resumeRun(d: Decision, { by }: Told<'resumeRun'>): Verdict {
  const { run } = d.view;
  if (run.status !== 'paused' || run.more?.pause?.reason !== 'person') return 'refused';
  if (run.more.parent?.isHeld) changeStatus(d, { status: 'paused', reason: 'parent' });
  else goOn(d, { reason: 'person', by });
  return 'applied';
}

/** F4: the run above is held up. */
export function hold(d: Decision): void {
  const { status, more } = d.view.run;
  const isOver = isTerminalRun(status) || status === 'cancelling' || status === 'compensating';
  if (isOver || more?.pause?.reason === 'person' || more?.pause?.reason === 'parent') return;
  changeStatus(d, { status: 'paused', reason: 'parent' });
}

/** F4: the run above goes on. */
export function letGo(d: Decision): void {
  const { status, more } = d.view.run;
  if (status === 'paused' && more?.pause?.reason === 'parent') goOn(d, { reason: 'parent' });
}

/** Without room in the budget it waits for that. */
function goOn(d: Decision, why: { reason: string; by?: string }): void {
  const isBlocked = d.view.rows.openUnder('').some(lacksBudget);
  changeStatus(d, isBlocked ? { status: 'paused', reason: 'budget' } : { status: 'running', ...why });
}

/** T10: what had no room is tried again; a run that a person holds up stays so. */
export function raiseBudget(d: Decision, { limits, by }: Told<'raiseBudget'>): Verdict {
  const { run, rows } = d.view;
  if (isTerminalRun(run.status)) return 'refused';
  const all = { ...run.limits, ...limits };
  d.append({ type: 'run.budgetChanged', path: '', attempt: 0, data: { v: 1, limits: all as never, by } });
  for (const row of rows.openUnder('')) if (row.status === 'blocked') resume(d, row, 'budget', by);
  const { reason } = run.more?.pause ?? {};
  if (run.status === 'paused' && reason !== 'person' && reason !== 'parent')
    changeStatus(d, { status: 'running', reason: 'budget' });
  grantAgain(d);
  return 'applied';
}

/** T10: the wall-clock budget is used up. */
export function overtime(d: Decision): Verdict {
  const { status } = d.view.run;
  if (status !== 'pending' && status !== 'running' && status !== 'waiting') return 'notMine';
  changeStatus(d, { status: 'paused', reason: 'wall_clock' });
  return 'applied';
}

/** T16: the time that the flow gives its runs is over, whatever they wait for. */
export function timedOut(d: Decision): Verdict {
  const { run, graph } = d.view;
  const isOpen = run.status === 'paused' || run.status === 'pending' || isGoingOn(run.status);
  if (!isOpen || run.failure) return 'notMine';
  d.append({
    type: 'run.timedOut',
    path: '',
    attempt: 0,
    data: { v: 1, timeoutMs: graph.document.timeoutMs ?? 0 },
  });
  return 'applied';
}

const isGoingOn = (status: string): boolean => status === 'running' || status === 'waiting';

type StatusData = Extract<JournalEvent, { type: 'run.statusChanged' }>['data'];

function changeStatus(d: Decision, data: Omit<StatusData, 'v'>): void {
  d.append({ type: 'run.statusChanged', path: '', attempt: 0, data: { v: 1, ...data } });
}

/** Remembers what holds a run up, and forgets it when it goes on. */
export function applyPause(view: RunView, { status, reason, by }: StatusData): void {
  const { run } = view;
  if (status !== 'paused') run.more = withoutFacts(run.more, 'pause');
  else if (reason === 'person' || reason === 'budget' || reason === 'wall_clock' || reason === 'parent')
    run.more = { ...run.more, pause: { reason, ...(by !== undefined && { by }) } };
}

export function applyTimeout(view: RunView, timeoutMs: number): void {
  view.run.more = { ...view.run.more, timedOut: true };
  stopScope(view, '', {
    code: 'run_timed_out',
    message: `The run took longer than the ${timeoutMs} ms that its flow allows. Raise timeoutMs of the flow, or find what took so long.`,
    class: 'timed_out',
  });
}

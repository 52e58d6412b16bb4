import type { BudgetLimits } from '../graph/document.ts';
import type { Allowance, JournalEvent, Spend } from '../journal/events.ts';
import { asksAbove } from '../state/asks.ts';
import {
  addSpend,
  NO_SPEND,
  type NodeRunState,
  type RunState,
  type SubFlow,
  subtractSpend,
} from '../state/run-state.ts';
import { missingBudget } from './budget.ts';
import type { Decision } from './decision.ts';
import type { WordUp } from './facts.ts';
import { resume } from './resume.ts';
import type { RunView } from './run-view.ts';
import { settle, warnDue } from './spend.ts';
import { isStopping, runsFlow } from './stop-scope.ts';

// Rules kept here: F7: a run of a sub-flow spends what the run above has set aside for it, and asks for more.

const UNITS = ['costNanoUsd', 'tokens', 'modelCalls'] as const;

/** F7: the units of which a run of a sub-flow has to ask for what it spends, with nothing of them yet. */
export function firstAllowance({ limits, more }: RunState): Allowance | undefined {
  const bounds = { ...boundsOf(limits), ...more?.allowance };
  const units = UNITS.filter((unit) => bounds[unit] !== undefined);
  return units.length > 0 ? Object.fromEntries(units.map((unit) => [unit, 0])) : undefined;
}

const boundsOf = ({ costUsd, tokens, modelCalls }: BudgetLimits): Allowance => ({
  ...(costUsd !== undefined && { costNanoUsd: costUsd * 1e9 }),
  ...(tokens !== undefined && { tokens }),
  ...(modelCalls !== undefined && { modelCalls }),
});

/** F7: which allowances `wanted` would pass; undefined when it fits. */
export function missingAllowance({ more }: RunState, wanted: Spend): Record<string, unknown> | undefined {
  const { allowance } = more ?? {};
  if (!allowance) return undefined;
  const { costNanoUsd, ...rest } = allowance;
  return missingBudget({ ...rest, ...(costNanoUsd !== undefined && { costUsd: costNanoUsd / 1e9 }) }, wanted);
}

/** What a run has reserved and asks for: what it wants to be able to spend beyond what it has. */
export const wantsOf = ({ reserved, more }: RunState): Spend | undefined =>
  more?.asks && addSpend(reserved, more.asks);

/** F7: the run of a sub-flow tells what it has spent, and asks. */
export function asked(d: Decision, row: NodeRunState, { seq, spent, wants }: WordUp): void {
  const { path, attempt } = row;
  d.append({ type: 'flow.asked', path, attempt, data: { v: 1, seq, spent, ...(wants && { wants }) } });
  grant(d, row);
}

/**
 * F7: sets aside what the run of a sub-flow wants, where it fits; else the run is paused, or asks the run above itself.
 * One that is asked to stop (F5) gets nothing more.
 */
function grant(d: Decision, row: NodeRunState): void {
  const { run } = d.view;
  const { allowance, spent, wants } = row.more!.subFlow!;
  if (!allowance || !wants || isStopping(d.view, row.path)) return;
  const raised = Object.fromEntries(
    Object.entries(allowance).map(([unit, granted]) => {
      const name = unit as keyof Spend;
      return [unit, Math.max(granted!, spent[name] + wants[name])];
    }),
  ) as Allowance;
  const reserved = left(raised, spent);
  const total = addSpend(
    subtractSpend(addSpend(run.spent, run.reserved), row.reserved ?? NO_SPEND),
    reserved,
  );
  const { path, attempt } = row;
  if (missingBudget(run.limits, total)) {
    const data = { v: 1 as const, status: 'paused' as const, reason: 'budget' };
    if (run.status !== 'paused') d.append({ type: 'run.statusChanged', path: '', attempt: 0, data });
  } else if (missingAllowance(run, total)) {
    const needs = subtractSpend(reserved, row.reserved ?? NO_SPEND);
    d.append({ type: 'flow.passedOn', path, attempt, data: { v: 1, needs } });
  } else d.append({ type: 'flow.granted', path, attempt, data: { v: 1, allowance: raised } });
}

/** F7: there may be room now for those that were refused. */
export function grantAgain(d: Decision): void {
  if (d.view.run.more?.subFlows === undefined) return;
  for (const row of d.view.rows.openUnder('')) if (runsFlow(row)) grant(d, row);
}

/** True when more of some unit is allowed than before. */
export const isRaised = (now: Allowance, before: Allowance = {}): boolean =>
  UNITS.some((unit) => (now[unit] ?? 0) > (before[unit] ?? 0));

/** F7: the run above allows more: what waited for that goes on. */
export function allowed(d: Decision): void {
  if (d.view.run.more?.asks === undefined) return;
  for (const row of d.view.rows.openUnder('')) {
    if (row.status === 'blocked' && row.reason === 'allowance') resume(d, row, 'budget');
    else if (runsFlow(row)) grant(d, row);
  }
}

/** True when the run waits for its own budget. */
export const lacksBudget = (row: NodeRunState): boolean =>
  (row.status === 'blocked' && row.reason !== 'allowance') ||
  (runsFlow(row) && row.more!.subFlow!.wants !== undefined && row.more!.needs === undefined);

/** What is set aside of an allowance and not spent. */
const left = (allowance: Allowance, spent: Spend): Spend => ({
  costNanoUsd: Math.max(0, (allowance.costNanoUsd ?? spent.costNanoUsd) - spent.costNanoUsd),
  tokens: Math.max(0, (allowance.tokens ?? spent.tokens) - spent.tokens),
  modelCalls: Math.max(0, (allowance.modelCalls ?? spent.modelCalls) - spent.modelCalls),
});

/** A node run asks the run above for this. */
export function asks({ run, tell }: RunView, row: NodeRunState, needs: Spend): void {
  asksAbove(run, row, needs);
  tell.add('');
}

type FlowEvent<T extends JournalEvent['type']> = Extract<JournalEvent, { type: T }>;

export function applyAsked(view: RunView, row: NodeRunState, { data }: FlowEvent<'flow.asked'>): void {
  const { seq: heard, spent, wants } = data;
  told(view, view.touch(row), spent);
  if (row.more?.needs) asksAbove(view.run, row);
  const { wants: _, ...subFlow } = row.more!.subFlow!;
  setAside(view, row, { ...subFlow, heard, ...(wants && { wants }) });
}

export function applyGranted(view: RunView, row: NodeRunState, { data }: FlowEvent<'flow.granted'>): void {
  view.touch(row);
  if (row.more?.needs) asksAbove(view.run, row);
  const { wants: _, ...subFlow } = row.more!.subFlow!;
  setAside(view, row, { ...subFlow, allowance: data.allowance });
  view.tell.add(row.path);
}

export function applyPassedOn(view: RunView, row: NodeRunState, { data }: FlowEvent<'flow.passedOn'>): void {
  asks(view, view.touch(row), data.needs);
}

/** What the run of a sub-flow has spent since it last told is spent by the node run, and by its run (F6). */
export function told(view: RunView, row: NodeRunState, spent: Spend): void {
  const subFlow = row.more!.subFlow!;
  const more = subtractSpend(spent, subFlow.spent);
  view.run.spent = addSpend(view.run.spent, more);
  row.costNanoUsd += more.costNanoUsd;
  row.tokens += more.tokens;
  row.more = { ...row.more, subFlow: { ...subFlow, spent } };
  warnDue(view);
}

/** What is left of the allowance is reserved in the run above. */
function setAside(view: RunView, row: NodeRunState, subFlow: SubFlow): void {
  row.more = { ...row.more, subFlow };
  const reserved = subFlow.allowance ? left(subFlow.allowance, subFlow.spent) : NO_SPEND;
  view.run.reserved = addSpend(subtractSpend(view.run.reserved, row.reserved ?? NO_SPEND), reserved);
  row.reserved = UNITS.every((unit) => reserved[unit] === 0) ? undefined : reserved;
}

/** The run of a sub-flow has ended: what was set aside for it is free. */
export function giveBack(view: RunView, row: NodeRunState): void {
  if (row.more?.needs) asksAbove(view.run, row);
  settle(view, row, NO_SPEND);
}

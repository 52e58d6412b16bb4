import type { Spend } from '../journal/events.ts';
import { addSpend, NO_SPEND, type NodeRunState, subtractSpend } from '../state/run-state.ts';
import { nearLimits } from './budget.ts';
import type { RunView } from './run-view.ts';

// Rules kept here: V6 what is reserved is settled once: to the real spend, to nothing but the call, or to itself when the answer
// was lost.

export const spendOf = (
  answer: { costNanoUsd: number; usage: { input: number; output: number } } | undefined,
): Spend | undefined =>
  answer && {
    costNanoUsd: answer.costNanoUsd,
    tokens: answer.usage.input + answer.usage.output,
    modelCalls: 1,
  };

/** A call that failed without being billed still was a call. */
export const callsOnly = (reserved: Spend | undefined): Spend =>
  reserved ? { costNanoUsd: 0, tokens: 0, modelCalls: reserved.modelCalls } : NO_SPEND;

/** A node run reserves for one call at a time: what an attempt reserved that was given back before sending is replaced. */
export function reserve(view: RunView, row: NodeRunState, reserved: Spend): void {
  view.run.reserved = addSpend(subtractSpend(view.run.reserved, row.reserved ?? NO_SPEND), reserved);
  row.reserved = reserved;
}

/** A reservation dies here: settled to the real spend, or, when the answer was lost, to what was reserved. */
export function settle(view: RunView, row: NodeRunState, actual: Spend | undefined): void {
  const spent = actual ?? row.reserved ?? NO_SPEND;
  if (row.reserved) {
    view.run.reserved = subtractSpend(view.run.reserved, row.reserved);
    row.reserved = undefined;
  }
  if (spent === NO_SPEND) return;
  view.run.spent = addSpend(view.run.spent, spent);
  row.costNanoUsd += spent.costNanoUsd;
  row.tokens += spent.tokens;
  warnDue(view);
}

/** T21: a warning is due for a limit that is nearly used up, once. */
export function warnDue(view: RunView): void {
  const { limits, spent, more } = view.run;
  for (const near of nearLimits(limits, spent))
    if (!more?.warned?.includes(near.unit)) view.due.push({ kind: 'warn', ...near });
}

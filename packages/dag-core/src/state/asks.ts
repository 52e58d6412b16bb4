import type { Spend } from '../journal/events.ts';
import {
  addSpend,
  NO_SPEND,
  type NodeRunState,
  type RunState,
  subtractSpend,
  withoutFacts,
} from './run-state.ts';

/**
 * A node run asks the run above for this (F7), in place of what it asked for before; without `needs` it asks for nothing any more.
 * The run asks for the sum.
 */
export function asksAbove(run: RunState, row: NodeRunState, needs?: Spend): void {
  const before = subtractSpend(run.more?.asks ?? NO_SPEND, row.more?.needs ?? NO_SPEND);
  const asks = addSpend(before, needs ?? NO_SPEND);
  const isNone = asks.costNanoUsd === 0 && asks.tokens === 0 && asks.modelCalls === 0;
  run.more = isNone ? withoutFacts(run.more, 'asks') : { ...run.more, asks };
  row.more = needs ? { ...row.more, needs } : withoutFacts(row.more, 'needs');
}

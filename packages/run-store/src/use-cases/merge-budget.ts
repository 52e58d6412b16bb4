import type { BudgetLimits } from '@pawl/dag-core';

/** A run may set limits where the flow has none and lower those it has; raising is a recorded decision (V6). */
export function mergeBudget(ofFlow: BudgetLimits = {}, ofRun: BudgetLimits = {}): BudgetLimits {
  const merged: Record<string, number> = {};
  for (const unit of ['costUsd', 'tokens', 'modelCalls', 'wallClockMs'] as const) {
    const limits = [ofFlow[unit], ofRun[unit]].filter((limit) => limit !== undefined);
    if (limits.length > 0) merged[unit] = Math.min(...limits);
  }
  return merged;
}

import type { BudgetLimits } from '../graph/document.ts';
import type { Spend } from '../journal/events.ts';

/** V6: which limits `wanted` would pass, with the numbers; undefined when it fits. */
export function missingBudget(
  limits: BudgetLimits,
  wanted: Spend,
): Record<string, { limit: number; wanted: number }> | undefined {
  const missing: Record<string, { limit: number; wanted: number }> = {};
  const check = (name: string, limit: number | undefined, amount: number) => {
    if (limit !== undefined && amount > limit) missing[name] = { limit, wanted: amount };
  };
  check('costUsd', limits.costUsd, wanted.costNanoUsd / 1e9);
  check('tokens', limits.tokens, wanted.tokens);
  check('modelCalls', limits.modelCalls, wanted.modelCalls);
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/** Share of a limit at which a run is warned. */
const WARNED_AT = 0.8;

export type WarnedUnit = 'costUsd' | 'tokens' | 'modelCalls';

/** Which limits have been used up to four fifths, with the numbers. */
export function nearLimits(
  limits: BudgetLimits,
  spent: Spend,
): { unit: WarnedUnit; limit: number; spent: number }[] {
  const used = { costUsd: spent.costNanoUsd / 1e9, tokens: spent.tokens, modelCalls: spent.modelCalls };
  return (['costUsd', 'tokens', 'modelCalls'] as const).flatMap((unit) => {
    const limit = limits[unit];
    return limit !== undefined && limit > 0 && used[unit] >= limit * WARNED_AT
      ? [{ unit, limit, spent: used[unit] }]
      : [];
  });
}

import type { BudgetLimits } from '@pawl/dag-core';
import type { Command } from 'commander';
import { amount, wholeNumber } from '../command.ts';

export interface BudgetOptions {
  readonly costUsd?: number;
  readonly tokens?: number;
  readonly modelCalls?: number;
  readonly wallClockMs?: number;
}

const MOST = Number.MAX_SAFE_INTEGER;

/** Adds the options that name limits of a budget. */
export const addBudgetOptions = (command: Command): Command =>
  command
    .option('--cost-usd <usd>', 'limit of money', amount)
    .option('--tokens <count>', 'limit of tokens', wholeNumber(0, MOST))
    .option('--model-calls <count>', 'limit of model calls', wholeNumber(0, MOST))
    .option('--wall-clock-ms <ms>', 'limit of time', wholeNumber(0, MOST));

/** The limits that were named; undefined when none was. */
export function budgetOf(options: BudgetOptions): BudgetLimits | undefined {
  const { costUsd, tokens, modelCalls, wallClockMs } = options;
  const named = Object.entries({ costUsd, tokens, modelCalls, wallClockMs }).filter(
    ([, value]) => value !== undefined,
  );
  return named.length > 0 ? Object.fromEntries(named) : undefined;
}

import type { PlannedNode } from '@pawl/dag-core';
import type { ChosenTest } from './choices.ts';

/** What of a test matters before it starts: what it would touch, and what it would not. */
export interface WhatIsCalled {
  /** Nodes that call something outside, as they were drawn. */
  readonly calls: readonly PlannedNode[];
  /** Nodes that would, which must not be repeated and were not let run. */
  readonly held: readonly PlannedNode[];
  /** How many are given an output instead. */
  readonly givenCount: number;
}

/** Rule 6: what a test as it is chosen would call. */
export function whatIsCalled({ rows }: ChosenTest): WhatIsCalled {
  const plans = rows.map(({ plan }) => plan);
  return {
    calls: plans.filter(({ does }) => does === 'calls'),
    held: plans.filter(({ why, effect }) => why === 'off' && effect === 'non_repeatable'),
    givenCount: plans.filter(({ does }) => does === 'given').length,
  };
}

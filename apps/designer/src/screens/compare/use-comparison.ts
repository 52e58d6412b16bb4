import { useEffect, useState } from 'react';
import { compareRuns, type RunComparison } from '../../comparing-runs/compare-runs.ts';
import { RunValues } from '../../run/run-values.ts';
import { useFeed, useFeedState } from '../run/use-feed.ts';

/** Two runs as far as they have come, and what was found of them. */
export interface Compared {
  readonly left: RunValues;
  readonly right: RunValues;
  readonly comparison: RunComparison;
}

/** Follows two runs and compares them again whenever one of them has gone on. */
export function useComparison(left: string, right: string) {
  const [one, other] = [useFeedState(useFeed(left)), useFeedState(useFeed(right))];
  const [compared, setCompared] = useState<Compared>();
  const isHere = one.lastSeq > 0 && other.lastSeq > 0;
  const flowOf = ({ history }: typeof one) => history?.graph.document.name;
  const isOneFlow = isHere && flowOf(one) === flowOf(other);
  // biome-ignore lint/correctness/useExhaustiveDependencies: histories change in place; their last numbers say that they did.
  useEffect(() => {
    if (!isOneFlow) return;
    let isOver = false;
    // One history may have gone on before the other is read: both are taken as they are when they are compared.
    Promise.all([RunValues.of(one.history!), RunValues.of(other.history!)]).then(([first, second]) => {
      if (!isOver) setCompared({ left: first, right: second, comparison: compareRuns(first, second) });
    });
    return () => {
      isOver = true;
    };
  }, [isOneFlow, one.history, other.history, one.lastSeq, other.lastSeq]);
  return {
    compared,
    refused: [one, other].find(({ phase }) => phase === 'refused')?.problem,
    flows: isHere && !isOneFlow ? ([flowOf(one)!, flowOf(other)!] as const) : undefined,
    isOpen: [one, other].some(({ phase }) => phase === 'live' || phase === 'behind'),
  };
}

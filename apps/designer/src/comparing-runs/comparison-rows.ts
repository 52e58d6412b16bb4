import type { NodeRunHistory, RunHistory } from '../run/history.ts';
import { spansOf } from '../run/spans.ts';
import type { NodeRunPair, RunComparison } from './compare-runs.ts';

/** A line of the comparison: a node run in both runs, and how deep inside containers it is. */
export interface ComparisonRow {
  readonly pair: NodeRunPair;
  readonly depth: number;
}

/**
 * The lines of a comparison from the outside to the inside. What is the same inside containers is left out unless all is asked for;
 * of what one run lacks only the outermost is told.
 */
export function comparisonRows({ pairs }: RunComparison, isAll: boolean): ComparisonRow[] {
  const below = new Map<string, NodeRunPair[]>();
  for (const pair of pairs) {
    const around = pair.path.slice(0, Math.max(0, pair.path.lastIndexOf('/')));
    below.set(around, [...(below.get(around) ?? []), pair]);
  }
  const begunAt = ({ left, right }: NodeRunPair) => (left ?? right)!.moments[0]?.seq ?? 0;
  const rows: ComparisonRow[] = [];
  const tell = (path: string, depth: number): void => {
    const here = below.get(path) ?? [];
    here.sort((one, other) => begunAt(one) - begunAt(other) || byNumber(one, other));
    for (const pair of here) {
      const isScope = (pair.kind === 'item' || pair.kind === 'turn') && pair.left && pair.right;
      if (!isScope && (isAll || depth === 0 || pair.differs.length > 0)) rows.push({ pair, depth });
      if (pair.left && pair.right) tell(pair.path, isScope ? depth : depth + 1);
    }
  };
  tell('', 0);
  return rows;
}

const byNumber = (one: NodeRunPair, other: NodeRunPair) =>
  one.path.localeCompare(other.path, 'en', { numeric: true });

/** What a node run took and cost, as far as the journal goes. */
export interface Amounts {
  readonly tookMs: number;
  readonly tokens: number;
  readonly costNanoUsd: number;
}

export function amountsOf(nodeRun: NodeRunHistory | undefined, history: RunHistory): Amounts | undefined {
  if (!nodeRun) return undefined;
  const end = history.events.at(-1)?.at ?? 0;
  const spans = spansOf(nodeRun, history.lastSeq);
  const { tokens = 0, costNanoUsd = 0 } = nodeRun.moments.at(-1) ?? {};
  return { tookMs: spans.reduce((sum, { from, to = end }) => sum + (to - from), 0), tokens, costNanoUsd };
}

/** What a run took and cost as a whole, and the calls of models it made. */
export function totalsOf(history: RunHistory): Amounts & { readonly modelCalls: number } {
  const { events } = history;
  const { spent } = history.runAt(history.lastSeq) ?? {};
  return {
    tookMs: (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0),
    tokens: spent?.tokens ?? 0,
    costNanoUsd: spent?.costNanoUsd ?? 0,
    modelCalls: spent?.modelCalls ?? 0,
  };
}

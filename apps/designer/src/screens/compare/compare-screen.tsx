import { useSearch } from '@tanstack/react-router';
import { ChooseRuns } from './choose-runs.tsx';
import { Comparison } from './comparison.tsx';

/** Two runs of one flow beside each other; until both are named, they are chosen. */
export function CompareScreen() {
  const { left, right } = useSearch({ from: '/compare' });
  return left && right && left !== right ? (
    <Comparison key={`${left} ${right}`} left={left} right={right} />
  ) : (
    <ChooseRuns />
  );
}

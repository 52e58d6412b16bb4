import type { TFunction } from 'i18next';
import type { NodeRunPair } from '../../comparing-runs/compare-runs.ts';

/** In a sentence, what became of a node run in the right run, and whether its node says something else there. */
export function reasonOf(t: TFunction, { differs, left, right }: NodeRunPair, isChanged: boolean): string {
  if (!right) return t('compare.reason.missing');
  if (!left) return t('compare.reason.extra');
  const result = differs.find((each) => each !== 'input');
  if (result === undefined) return t(differs.length > 0 ? 'compare.reason.inputOnly' : 'compare.reason.same');
  const given = t(differs.includes('input') ? 'compare.givenOther' : 'compare.givenSame');
  const node = t(isChanged ? 'compare.nodeChanged' : 'compare.nodeSame');
  return `${given} ${t(`compare.reason.${result as 'status' | 'route' | 'output'}`)} ${node}`;
}

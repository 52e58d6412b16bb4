import type { TestPart } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { useEditing } from '../../../canvas/editing.ts';
import { findNode } from '../../../editor/index.ts';

/** What can be tried: with a node that is chosen, also what leads to it, what follows, and it alone. */
export function usePartWords(): (part: TestPart) => string {
  const { t } = useTranslation();
  const document = useEditing(({ history }) => history.document);
  return (part) => {
    if (part.do === 'all') return t('testing.part.all');
    const { node } = part;
    return t(`testing.part.${part.do}`, { node: findNode(document, node)?.node.title ?? node });
  };
}

/** The parts around a node; without one all there is. */
export const partsOf = (node: string | undefined): TestPart[] => [
  { do: 'all' },
  ...(node === undefined ? [] : (['to', 'from', 'only'] as const).map((does) => ({ do: does, node }))),
];

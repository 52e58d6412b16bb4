import type { FlowDocument } from '@pawl/dag-core';
import type { TFunction } from 'i18next';
import { findNode, type Label } from '../editor/index.ts';

/** What became of the document last: done, undone or done again. */
export interface Said {
  readonly how: 'done' | 'undone' | 'redone';
  readonly label: Label;
  /** The documents before and after: what was removed still has its name in the one, what was added in the other. */
  readonly before: FlowDocument;
  readonly after: FlowDocument;
  /** Counts on, so that the same twice is said twice. */
  readonly number: number;
}

/** What is said when it is done; what is typed says itself. */
const SAID = [
  ...(['addNode', 'removeNodes', 'connect', 'disconnect', 'reconnect', 'renameNode', 'setTitle'] as const),
  ...(['wrap', 'paste', 'duplicate', 'collapse', 'expand', 'tidy', 'align', 'distribute'] as const),
  ...(['editNote', 'removeNote', 'editFrame', 'removeFrame'] as const),
];

/** What just happened, for who does not see it; empty for what need not be said. */
export function announcement(t: TFunction, { how, label, before, after }: Said): string {
  const nameOf = (id: string) => (findNode(after, id) ?? findNode(before, id))?.node.title ?? id;
  const what =
    label.what?.split(' → ').map(nameOf).join(' → ') ?? t('canvas.several', { count: label.count ?? 1 });
  if (how !== 'done') return t(`announced.${how}`, { what: t(`canvas.did.${label.did}`, { what }) });
  const did = SAID.find((each) => each === label.did);
  return did ? t(`announced.${did}`, { what }) : '';
}

import type { Client } from '@pawl/api';

/** A question of the inbox, in any state. */
export type InboxQuestion = Awaited<ReturnType<Client['getQuestion']>>;

/** A question that is open, as the list shows it. */
export type InboxItem = Awaited<ReturnType<Client['listInbox']>>['items'][number];

export type InboxKindWord = InboxItem['kind'];
export const INBOX_KINDS: readonly InboxKindWord[] = ['approval', 'uncertain', 'failure'];

/** A decision in the words of the catalogue: what follows from it depends on what was asked. */
export const followsKey = ({ kind, asks }: InboxQuestion, decision: string) => {
  if (kind !== 'approval') return `${kind}.${decision}`;
  return `${asks ?? 'approval'}.${decision}`;
};

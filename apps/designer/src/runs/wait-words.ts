import type { RunSummary } from '@pawl/api';

/** What something that is not finished waits for. */
export type WaitWord = NonNullable<RunSummary['waitingFor']>['kind'];

/** What a run as a whole can wait for. */
export const WAIT_WORDS: readonly WaitWord[] = [
  'person',
  'worker',
  'timer',
  'signal',
  'callback',
  'budget',
  'limit',
  'flow',
  'parent',
  'nodes',
  'cancel',
];

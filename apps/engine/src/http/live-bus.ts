import type { Delta } from '@pawl/api';

/** `grew`: the journal of the run has new events; read it. `delta`: a passing sign of life, never stored. */
export type LiveMessage = { readonly kind: 'grew' } | { readonly kind: 'delta'; readonly delta: Delta };

/**
 * Wake-ups for those who follow a run. A message may be doubled, merged or lost: the journal is the source, and followers
 * re-read it now and then.
 */
export interface LiveBus {
  /** Calls the listener from now on; the returned function ends that and may be called twice. */
  subscribe(runId: string, listener: (message: LiveMessage) => void): () => void;
  /** Calls the listener with the runs whose journals grew, of all workspaces; undefined: some may not have been told. */
  subscribeAll(listener: (runIds: readonly string[] | undefined) => void): () => void;
}

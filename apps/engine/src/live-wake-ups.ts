import type { HotStore } from '@pawl/run-store';
import type { LiveBus, LiveMessage } from './http/index.ts';

/** The store's wake-ups, sorted by run, for those who follow runs or look at lists of them over HTTP. */
export function liveWakeUps(store: HotStore): LiveBus {
  const followers = new Map<string, Set<(message: LiveMessage) => void>>();
  const ofAll = new Set<(runIds: readonly string[] | undefined) => void>();
  store.live.subscribe((message) => {
    const { runs, deltas, progress } = message;
    // What the bus says when it has a connection again.
    if (Object.keys(message).length === 0) for (const listener of ofAll) listener(undefined);
    if (runs) for (const listener of ofAll) listener(runs);
    for (const runId of runs ?? [])
      for (const listener of followers.get(runId) ?? []) listener({ kind: 'grew' });
    for (const delta of deltas ?? []) {
      const { runId, ...rest } = delta;
      for (const listener of followers.get(runId) ?? []) listener({ kind: 'delta', delta: rest });
    }
    for (const { runId, path, attempt, fraction, note } of progress ?? []) {
      const delta = { path, attempt, progress: { fraction, ...(note !== undefined && { note }) } };
      for (const listener of followers.get(runId) ?? []) listener({ kind: 'delta', delta });
    }
  });
  return {
    subscribeAll(listener) {
      ofAll.add(listener);
      return () => ofAll.delete(listener);
    },
    subscribe(runId, listener) {
      const listeners = followers.get(runId) ?? new Set();
      listeners.add(listener);
      followers.set(runId, listeners);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && followers.get(runId) === listeners) followers.delete(runId);
      };
    },
  };
}

import type { HotStore } from '@pawl/run-store';
import type { LiveBus, LiveMessage } from './http/index.ts';

/** The store's wake-ups, sorted by run, for those who follow runs over HTTP. */
export function liveWakeUps(store: HotStore): LiveBus {
  const followers = new Map<string, Set<(message: LiveMessage) => void>>();
  store.live.subscribe(({ runs, deltas, progress }) => {
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

// Catches: a reading for each change or each watcher, changes that are never told, a flood that is read run by run.
import type { RunSummary } from '@pawl/run-store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type WorkspaceNews, WorkspaceWatch } from '../../../src/http/workspace-watch.ts';

let read: string[][];
let counts: number;
let trouble: unknown[];
let hear: ((runIds: readonly string[] | undefined) => void) | undefined;
let isAway: boolean;
let watch: WorkspaceWatch;
beforeEach(() => {
  vi.useFakeTimers();
  [read, counts, trouble, hear, isAway] = [[], 0, [], undefined, false];
  watch = new WorkspaceWatch({
    live: {
      subscribeAll(listener) {
        hear = listener;
        return () => {
          hear = undefined;
        };
      },
    },
    readRuns: async (workspaceIds, runIds) => {
      if (isAway) throw new Error('away');
      read.push([...runIds]);
      return runIds.map((id) => ({ workspaceId: workspaceIds[0]!, run: { id } as RunSummary }));
    },
    countInbox: async () => {
      counts += 1;
      return { count: 1, hasMore: false };
    },
    onTrouble: (error) => trouble.push(error),
    mostRuns: 3,
  });
});
afterEach(() => vi.useRealTimers());

const listen = (workspaceId: string) => {
  const heard: WorkspaceNews[] = [];
  return { heard, stop: watch.subscribe(workspaceId, (news) => heard.push(news)) };
};
const kinds = (heard: readonly WorkspaceNews[]) => heard.map(({ kind }) => kind);

describe('the watch over workspaces', () => {
  it('reads changes of a quarter of a second at once, however many watch', async () => {
    const [one, other] = [listen('w'), listen('w')];
    hear!(['a']);
    hear!(['b', 'a']);
    await vi.advanceTimersByTimeAsync(250);
    expect(read).toEqual([['a', 'b']]);
    expect(counts).toBe(1);
    expect(kinds(one.heard)).toEqual(['run', 'run', 'inbox']);
    expect(other.heard).toEqual(one.heard);
  });

  it('reads nothing one by one of a flood, and asks to read again', async () => {
    const { heard } = listen('w');
    hear!(['a', 'b', 'c', 'd']);
    await vi.advanceTimersByTimeAsync(250);
    expect(read).toEqual([]);
    expect(kinds(heard)).toEqual(['again', 'inbox']);
  });

  it('tells what changed while it read', async () => {
    const { heard } = listen('w');
    hear!(['a']);
    vi.advanceTimersByTime(250);
    hear!(['b']);
    await vi.advanceTimersByTimeAsync(500);
    expect(read).toEqual([['a'], ['b']]);
    expect(heard.filter(({ kind }) => kind === 'run')).toHaveLength(2);
  });

  it('asks to read again when it could not read', async () => {
    const { heard } = listen('w');
    isAway = true;
    hear!(['a']);
    await vi.advanceTimersByTimeAsync(250);
    expect(kinds(heard)).toEqual(['again']);
    expect(trouble).toHaveLength(1);
  });

  it('does nothing while nobody watches', async () => {
    const { stop } = listen('w');
    hear!(['a']);
    stop();
    stop();
    expect(hear).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read).toEqual([]);
    listen('w');
    hear!(['b']);
    await vi.advanceTimersByTimeAsync(250);
    expect(read).toEqual([['b']]);
  });
});

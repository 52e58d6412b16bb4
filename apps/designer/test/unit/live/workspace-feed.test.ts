// Would catch: news that is older than what is shown, a connection that is held while nobody looks, a page that is not read again after it.
import type { RunSummary, WorkspaceNews } from '@pawl/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { atMostEvery } from '../../../src/live/at-most-every.ts';
import type { Attention } from '../../../src/live/attention.ts';
import { WorkspaceFeed } from '../../../src/live/workspace-feed.ts';

let say: (news: WorkspaceNews) => void;
let openStreams: number;
let runs: string[];
let again: number;
let attention: Attention;
let feed: WorkspaceFeed;
beforeEach(() => {
  vi.useFakeTimers();
  [openStreams, runs, again] = [0, [], 0];
  feed = new WorkspaceFeed(
    {
      async *workspaceNews({ signal } = {}) {
        const said: WorkspaceNews[] = [{ kind: 'again' }];
        let wake = () => {};
        say = (news) => {
          said.push(news);
          wake();
        };
        openStreams += 1;
        signal!.addEventListener('abort', () => {
          openStreams -= 1;
          wake();
        });
        while (!signal!.aborted) {
          const next = said.shift();
          if (next) yield next;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      },
    },
    {
      runs: (told) => runs.push(...told.map(({ id, lastSeq }) => `${id}@${lastSeq}`)),
      inbox: () => undefined,
      again: () => {
        again += 1;
      },
    },
    {
      watch: (given) => {
        attention = given;
        return () => undefined;
      },
    },
  );
  feed.start();
});
afterEach(() => {
  feed.stop();
  vi.useRealTimers();
});

const run = (id: string, lastSeq: number): WorkspaceNews => ({
  kind: 'run',
  run: { id, lastSeq } as RunSummary,
});
const pass = () => vi.advanceTimersByTimeAsync(60);

describe('the feed of the workspace', () => {
  it('tells the newest of each run, once, and nothing that is older', async () => {
    await pass();
    for (const news of [run('a', 3), run('a', 2), run('b', 1), run('a', 4)]) say(news);
    await pass();
    say(run('a', 3));
    await pass();
    expect(runs).toEqual(['a@4', 'b@1']);
  });

  it('lets the connection go while nobody looks, and has everything read again when somebody does', async () => {
    await pass();
    expect([openStreams, again]).toEqual([1, 1]);
    attention.sleep();
    await pass();
    expect(openStreams).toBe(0);
    attention.wake();
    await pass();
    expect([openStreams, again]).toEqual([1, 2]);
    attention.wake();
    expect([openStreams, again]).toEqual([1, 3]);
  });
});

describe('at most every so often', () => {
  it('acts at once, and once more at the end for all that was asked meanwhile', () => {
    let acts = 0;
    const act = atMostEvery(1_000, () => {
      acts += 1;
    });
    act();
    act();
    act();
    expect(acts).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(acts).toBe(2);
    vi.advanceTimersByTime(5_000);
    expect(acts).toBe(2);
  });
});

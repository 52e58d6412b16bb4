import { ApiError } from '@pawl/api';
import type { FlowDocument, RecordedEvent } from '@pawl/dag-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { Attention } from '../../../src/live/attention.ts';
import { type FeedApi, type FeedOptions, RunFeed } from '../../../src/run/feed.ts';

const document: FlowDocument = {
  format: 'pawl/1',
  name: 'wide',
  nodes: Array.from({ length: 8 }, (_, index) => ({ id: `n${index}`, kind: 'transform', value: index })),
  edges: [],
};
const event = (seq: number, type: string, path: string, data: object): RecordedEvent =>
  ({ seq, at: seq, type, path, attempt: path ? 1 : 0, data: { v: 1, ...data } }) as RecordedEvent;
const journal = [
  event(1, 'run.admitted', '', { versionId: 'a', input: {}, budget: {}, trigger: 'api', seed: 's' }),
  ...document.nodes.map(({ id }, index) => event(index + 2, 'outcome.succeeded', id, { output: index })),
];

/** A server whose journal grows when a test says so, and whose stream says whatever a test wants it to say. */
function aServer() {
  const said: { value: RecordedEvent; heard: () => void }[] = [];
  let wake = () => {};
  const server = {
    lastSeq: 1,
    isAway: false,
    answer() {
      if (server.isAway) throw new Error('no answer');
    },
    pagesRead: 0,
    /** Events of a page at most: it may be short without being the last one. */
    pageSize: 1_000,
    /** Streams that somebody hears. */
    openStreams: 0,
    /** Sends the event down the stream; resolves when it was taken. */
    say: (seq: number) =>
      new Promise<void>((heard) => {
        said.push({ value: journal[seq - 1]!, heard });
        wake();
      }),
    api: {
      getRun: async () => {
        server.answer();
        return { flow: 'wide', version: 'a', lastSeq: server.lastSeq };
      },
      listRuns: async () => ({ items: [await server.api.getRun({} as never)] }),
      listWork: async () => {
        server.answer();
        return { items: [] };
      },
      getVersion: async () => ({ document }),
      readEvents: async ({ query }: { query: { after: number } }) => {
        server.answer();
        server.pagesRead += 1;
        const to = Math.min(server.lastSeq, query.after + server.pageSize);
        return { events: journal.slice(query.after, to), ended: false, nextAfter: 0 };
      },
      async *runEvents(_: string, { signal }: { signal: AbortSignal }) {
        signal.addEventListener('abort', () => wake());
        server.openStreams += 1;
        signal.addEventListener('abort', () => {
          server.openStreams -= 1;
        });
        while (!signal.aborted) {
          const next = said.shift();
          if (next) {
            yield { kind: 'event', event: next.value };
            next.heard();
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      },
    } as unknown as FeedApi,
  };
  return server;
}

let feed: RunFeed;
afterEach(() => feed.stop());

const started = async (
  server: Pick<ReturnType<typeof aServer>, 'api'>,
  options?: FeedOptions,
): Promise<RunFeed> => {
  feed = new RunFeed(server.api, 'run', options);
  await feed.start();
  return feed;
};
const seqs = () => feed.state.getState().history!.events.map(({ seq }) => seq);

describe('the feed of a run', () => {
  it('reads what was there before it follows', async () => {
    const server = aServer();
    server.lastSeq = 4;
    await started(server);
    expect(seqs()).toEqual([1, 2, 3, 4]);
    expect(feed.state.getState()).toMatchObject({ phase: 'live', lastSeq: 4 });
  });

  it('takes an event once when it is doubled', async () => {
    const server = aServer();
    await started(server);
    server.lastSeq = 2;
    await server.say(2);
    await server.say(2);
    expect(seqs()).toEqual([1, 2]);
  });

  it('reads what was dropped as soon as the next one comes', async () => {
    const server = aServer();
    await started(server);
    server.lastSeq = 5;
    await server.say(5);
    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
  });

  it('shows a burst of events in a few steps, and the last of them soon', async () => {
    const server = aServer();
    await started(server);
    await expect.poll(() => feed.state.getState().work).toBeDefined();
    const shown: number[] = [];
    feed.state.subscribe(({ lastSeq }) => shown.push(lastSeq));
    server.lastSeq = journal.length;
    for (let seq = 2; seq <= journal.length; seq += 1) await server.say(seq);
    await expect.poll(() => shown.at(-1)).toBe(journal.length);
    expect(shown.length).toBeLessThan(4);
  });

  it('is in order when events come in another one', async () => {
    const server = aServer();
    await started(server);
    server.lastSeq = 4;
    for (const seq of [3, 2, 4]) await server.say(seq);
    expect(seqs()).toEqual([1, 2, 3, 4]);
  });

  it('finds by comparing what nobody told it: a tab that slept', async () => {
    const server = aServer();
    await started(server);
    server.lastSeq = 6;
    await feed.compare();
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('says that it may be behind while the server does not answer, and is live again when it does', async () => {
    const server = aServer();
    await started(server);
    server.isAway = true;
    await feed.compare();
    expect(feed.state.getState().phase).toBe('behind');
    server.isAway = false;
    await feed.compare();
    expect(feed.state.getState().phase).toBe('live');
  });

  it('asks for one page when nothing is missing, and never for the input again', async () => {
    const server = aServer();
    await started(server);
    await expect.poll(() => feed.state.getState().work).toBeDefined();
    const before = server.pagesRead;
    const getRun = () => Promise.reject(new Error('asked for the whole run'));
    Object.assign(server.api, { getRun });
    await feed.compare();
    expect(server.pagesRead).toBe(before + 1);
    expect(feed.state.getState().phase).toBe('live');
  });

  it('reads on behind a page that is short because its values are long', async () => {
    const server = aServer();
    server.pageSize = 2;
    server.lastSeq = 7;
    await started(server);
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('that cannot begin says why and tries again by itself', async () => {
    const server = aServer();
    server.isAway = true;
    feed = new RunFeed(server.api, 'run', { pauseMs: { first: 1, most: 5 } });
    const begun = feed.start();
    await expect.poll(() => feed.state.getState()).toMatchObject({ phase: 'loading', problem: 'no answer' });
    server.isAway = false;
    await begun;
    expect(feed.state.getState()).toMatchObject({ phase: 'live', problem: undefined });
  });

  it('is right soon after the server was away, without waiting for the next comparison', async () => {
    const server = aServer();
    await started(server, { pauseMs: { first: 1, most: 5 } });
    server.isAway = true;
    await feed.compare();
    server.lastSeq = 4;
    server.isAway = false;
    await expect.poll(seqs).toEqual([1, 2, 3, 4]);
  });

  it('asks who holds what while something is under way, and no more when all has ended', async () => {
    const server = aServer();
    await started(server);
    await expect.poll(() => feed.state.getState().work).toMatchObject({ asOf: 1 });
    server.lastSeq = journal.length;
    await feed.compare();
    expect(feed.state.getState().work).toBeDefined();
    await feed.compare();
    expect(feed.state.getState().work).toBeUndefined();
  });

  it('lets its connection go while nobody looks, and reads what it missed when somebody does', async () => {
    const server = aServer();
    let attention: Attention | undefined;
    const watch = (given: Attention) => {
      attention = given;
      return () => undefined;
    };
    await started(server, { watch });
    await expect.poll(() => server.openStreams).toBe(1);
    attention!.sleep();
    expect(server.openStreams).toBe(0);
    server.lastSeq = 5;
    attention!.wake();
    await expect.poll(seqs).toEqual([1, 2, 3, 4, 5]);
    await expect.poll(() => server.openStreams).toBe(1);
    server.lastSeq = 6;
    await server.say(6);
    expect(seqs()).toHaveLength(6);
  });

  it('waits while nobody is signed in, and follows again when somebody is', async () => {
    const server = aServer();
    let isIn = true;
    let hasEnded = false;
    const demand = () => {
      const problem = { status: 401, code: 'session_ended', detail: 'It has ended.' };
      if (!isIn) throw new ApiError(problem as never, undefined);
    };
    const { getRun, readEvents, runEvents } = server.api;
    const api: FeedApi = {
      ...server.api,
      getRun: async (call) => {
        demand();
        return getRun(call);
      },
      // The session ends as soon as what was there is read.
      readEvents: async (call) => {
        demand();
        const page = await readEvents(call);
        if (page.events.length === 0 && !hasEnded) {
          hasEnded = true;
          isIn = false;
        }
        return page;
      },
      runEvents: (runId, how) => {
        demand();
        return runEvents(runId, how);
      },
    };
    feed = new RunFeed(api, 'run', { compareMs: 5 });
    await feed.start();
    await expect.poll(() => feed.state.getState().phase).toBe('behind');
    isIn = true;
    server.lastSeq = 2;
    await server.say(2);
    await expect.poll(() => feed.state.getState()).toMatchObject({ phase: 'live', lastSeq: 2 });
  });

  it('says why it was refused', async () => {
    const server = aServer();
    const problem = { status: 404, code: 'run_not_found', detail: 'There is no run.' };
    const getRun = async () => {
      throw new ApiError(problem as never, undefined);
    };
    await started({ api: { ...server.api, getRun, listRuns: async () => ({ items: [] }) } as FeedApi });
    expect(feed.state.getState()).toMatchObject({ phase: 'refused', problem: 'There is no run.' });
  });
});

// Which mistake would this catch? Runs of sub-flows that are followed although nobody looks at them any more, and streams that use up the
// connections of the browser.
import type { FlowDocument, RecordedEvent } from '@pawl/dag-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { FeedApi } from '../../../src/run/feed.ts';
import type { SubFlowRef } from '../../../src/run/shown-runs.ts';
import { SubFeeds } from '../../../src/run/sub-feeds.ts';

const document: FlowDocument = {
  format: 'pawl/1',
  name: 'inner',
  nodes: [{ id: 'a', kind: 'transform', value: 1 }],
  edges: [],
};
const admitted = {
  seq: 1,
  at: 1,
  type: 'run.admitted',
  path: '',
  attempt: 0,
  data: { v: 1, versionId: 'v', input: {}, budget: {}, trigger: 'api', seed: 's' },
} as unknown as RecordedEvent;

/** A server on which every run has just begun, and nothing goes on. */
function aServer() {
  const server = {
    versionsRead: 0,
    isAway: false,
    asked: [] as string[],
    heard: new Set<string>(),
    api: {
      getRun: () => Promise.reject(new Error('Nobody should ask for what the journal says')),
      listRuns: () => Promise.reject(new Error('Nobody should ask for what the journal says')),
      listWork: async () => ({ items: [] }),
      getVersion: async () => {
        server.versionsRead += 1;
        if (server.isAway) throw new Error('no answer');
        return { document };
      },
      readEvents: async ({ params, query }: { params: { runId: string }; query: { after: number } }) => {
        server.asked.push(params.runId);
        return { events: query.after === 0 ? [admitted] : [], ended: false, nextAfter: 1 };
      },
      async *runEvents(runId: string, { signal }: { signal: AbortSignal }) {
        server.heard.add(runId);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        server.heard.delete(runId);
      },
    } as unknown as FeedApi,
  };
  return server;
}

const ref = (runId: string): SubFlowRef => ({ runId, flow: 'inner', versionId: 'v' });
let feeds: SubFeeds;
afterEach(() => feeds.keep([]));

describe('the feeds of sub-flows', () => {
  it('follow what is looked at, ask for a version once, and let go of the rest', async () => {
    const server = aServer();
    feeds = new SubFeeds(server.api);
    feeds.keep([ref('one'), ref('one'), ref('two')]);
    await expect.poll(() => [...server.heard]).toEqual(['one', 'two']);
    expect(server.versionsRead).toBe(1);
    feeds.keep([ref('two')]);
    expect([...feeds.state.getState().keys()]).toEqual(['two']);
    await expect.poll(() => [...server.heard]).toEqual(['two']);
    feeds.keep([]);
    await expect.poll(() => [...server.heard]).toEqual([]);
  });

  it('hear two streams at a time; others are compared', async () => {
    const server = aServer();
    feeds = new SubFeeds(server.api);
    feeds.keep([ref('one'), ref('two'), ref('three')]);
    await expect.poll(() => feeds.state.getState().get('three')?.lastSeq).toBe(1);
    await expect.poll(() => [...server.heard]).toEqual(['one', 'two']);
  });

  it('know the flow of a run at once when its version was read before', async () => {
    const server = aServer();
    feeds = new SubFeeds(server.api);
    expect(feeds.stateOf(ref('one'))).toBeUndefined();
    feeds.keep([ref('one')]);
    await expect.poll(() => feeds.stateOf(ref('one'))?.lastSeq).toBe(1);
    expect(feeds.stateOf(ref('two'))).toMatchObject({ phase: 'loading', lastSeq: 0 });
    expect(feeds.stateOf(ref('two'))?.history?.graph.document.name).toBe('inner');
    expect(server.asked).not.toContain('two');
  });

  it('ask again for a version that did not come', async () => {
    const server = aServer();
    server.isAway = true;
    feeds = new SubFeeds(server.api, { pauseMs: { first: 1, most: 5 } });
    feeds.keep([ref('one')]);
    await expect.poll(() => feeds.stateOf(ref('one'))?.problem).toBe('no answer');
    server.isAway = false;
    await expect.poll(() => feeds.stateOf(ref('one'))).toMatchObject({ phase: 'live', lastSeq: 1 });
  });
});

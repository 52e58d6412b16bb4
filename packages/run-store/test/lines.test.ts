// Which mistake would this catch? A node run that stands in line and is rung for all the same, is taken out by two workers, or is
// never found again when the worker that took it out dies (L1, L2, V8).
import { compileGraph, type FlowDocument } from '@pawl/dag-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  checkRowsEqualFold,
  claimNodeRuns,
  DEFAULT_WORKSPACE_ID,
  findForgotten,
  HotStore,
  type LiveMessage,
  newId,
  publishFlow,
  registerWorker,
  startRun,
} from '../src/index.ts';
import { takeFromLines } from '../src/work/index.ts';
import { openTestStore, type TestStore } from './support/seed.ts';

const workspaceId = DEFAULT_WORKSPACE_ID;
const document = {
  format: 'pawl/1',
  name: 'pair',
  nodes: ['a', 'b'].map((id) => ({
    id,
    kind: 'transform',
    value: id,
    pool: id === 'b' ? 'rare' : undefined,
  })),
  edges: [],
};
const graph = compileGraph(document as unknown as FlowDocument);

let store: TestStore;
let hot: HotStore;
let rung: string[];
let heard: LiveMessage[];
let runId: string;
let worker: string;
beforeAll(async () => {
  store = await openTestStore();
  await publishFlow(store.orm, { workspaceId, flow: 'pair', document: JSON.parse(JSON.stringify(document)) });
  hot = await HotStore.open({
    url: store.url,
    connections: 4,
    ring: async (bells) => void rung.push(...bells.map(({ path }) => path)),
    onError: (error) => {
      throw error;
    },
  });
  hot.live.subscribe((message) => heard.push(message));
});
afterAll(async () => {
  await hot.close();
  await store.close();
});

/** A run of which one worker holds both node runs and gives them back into the line of a tool. */
beforeEach(async () => {
  rung = [];
  heard = [];
  worker = newId();
  const identity = { id: worker, lockKey: String(Date.now()), host: 'h', pid: 1, processStarted: '0' };
  await registerWorker(hot.pool, { ...identity, pools: ['default', 'rare'] }, 60_000);
  ({ runId } = await startRun(hot, { workspaceId, flow: 'pair', input: null, trigger: 'test' }));
  const claimed = await claimNodeRuns(
    hot.pool,
    worker,
    ['a', 'b'].map((path) => ({ runId, path })),
    [],
  );
  rung = [];
  const keep = { workerId: worker, count: 10 };
  const facts = claimed.map(({ path, attempt }) => ({
    ...{ path, attempt, workerId: worker },
    type: 'released' as const,
    line: { key: 'tool:t@2' },
  }));
  expect((await hot.commit({ runId, graph, facts, keep })).claimed).toEqual([]);
});

const take = (pools: string[]) =>
  takeFromLines(hot.pool, { keys: ['tool:t@2', 'tool:t@1'], pools, most: 10 });

test('L1: nobody is rung for who stands in line, who could take it is told, and no look finds it forgotten', async () => {
  expect(rung).toEqual([]);
  await expect.poll(() => heard.flatMap(({ lines = [] }) => lines)).toContain('tool:t@2');
  expect((await findForgotten(hot.pool, 0, 10)).filter((bell) => bell.runId === runId)).toEqual([]);
  await take(['default', 'rare']);
});

test('L2: each is taken by one worker of its pool, and is an ordinary ready node run from then on', async () => {
  expect(await take(['default'])).toEqual([{ runId, path: 'a' }]);
  const both = await Promise.all([take(['rare', 'default']), take(['rare', 'default'])]);
  expect(both.flat()).toEqual([{ runId, path: 'b' }]);
  // Whoever took them died: what is ready and in no line is found again.
  const forgotten = await findForgotten(hot.pool, 0, 10);
  expect(
    forgotten
      .filter((bell) => bell.runId === runId)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(['a', 'b']);
  const [again] = await claimNodeRuns(hot.pool, worker, [{ runId, path: 'a' }], []);
  expect(again).toMatchObject({ path: 'a', attempt: 1 });
  expect((await checkRowsEqualFold(store.pool, [runId])).differences).toEqual([]);
});

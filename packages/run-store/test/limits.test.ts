// Which mistake would this catch? Two processes that together pass a limit, a node run in line that nobody rings for, permits that a
// dead process keeps, a change that others do not hear of (L3–L9, V8).
import { compileGraph, type FlowDocument } from '@pawl/dag-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  checkRowsEqualFold,
  claimNodeRuns,
  DEFAULT_WORKSPACE_ID,
  getNodeRun,
  getRun,
  HotStore,
  listCallLimits,
  newId,
  publishFlow,
  registerWorker,
  removeCallLimit,
  setCallLimit,
  startRun,
} from '../src/index.ts';
import { lineOfLimit } from '../src/work/index.ts';
import { openTestStore, type TestStore } from './support/seed.ts';

const workspaceId = DEFAULT_WORKSPACE_ID;
const document = {
  format: 'pawl/1',
  name: 'wide',
  nodes: Array.from({ length: 8 }, (_, i) => ({ id: `n${i}`, kind: 'transform', value: i })),
  edges: [],
};
const graph = compileGraph(document as unknown as FlowDocument);
const target = 'openai:*';
const called = 'openai:gpt-5';

let store: TestStore;
let hot: HotStore;
let other: HotStore;
let rung: string[];
let runId: string;
let worker: string;
const open = () =>
  HotStore.open({
    url: store.url,
    connections: 4,
    ring: async (bells) => void rung.push(...bells.map(({ path }) => path)),
    onError: (error) => {
      throw error;
    },
  });
beforeAll(async () => {
  store = await openTestStore();
  await publishFlow(store.orm, { workspaceId, flow: 'wide', document: JSON.parse(JSON.stringify(document)) });
  hot = await open();
  worker = newId();
  const identity = { id: worker, lockKey: '1', host: 'h', pid: 1, processStarted: '0', pools: ['default'] };
  await registerWorker(hot.pool, identity, 600_000);
  other = await open();
});
afterAll(async () => {
  await Promise.all([hot.close(), other.close()]);
  await store.close();
});

/** A run whose node runs one worker holds. */
beforeEach(async () => {
  rung = [];
  ({ runId } = await startRun(hot, { workspaceId, flow: 'wide', input: null, trigger: 'test' }));
  await claim(...document.nodes.map(({ id }) => id));
  rung = [];
  await store.pool.query('delete from permit');
  await store.pool.query('delete from limit_line');
  await store.pool.query('delete from call_limit');
  await Promise.all([hot.limits.load(), other.limits.load()]);
});

const claim = (...paths: string[]) =>
  claimNodeRuns(
    hot.pool,
    worker,
    paths.map((path) => ({ runId, path })),
    [],
  );
const setTo = async (
  limit: Parameters<typeof setCallLimit>[1] extends infer T
    ? Omit<T & object, 'workspaceId' | 'target'>
    : never,
) => {
  await setCallLimit(hot, { workspaceId, target, ...limit });
  await other.limits.load();
};
/** Asks as a worker does; who gets no leave stands in line. */
async function ask(path: string, into = hot): Promise<boolean> {
  const keys = into.limits.covering(workspaceId, called);
  const answer = await into.limits.ask({ runId, path, attempt: 1, workerId: worker, keys, tokens: 10 });
  if (answer.isGranted) return true;
  const line = { key: lineOfLimit(answer.refusedBy), tokens: 10 };
  await into.commit({
    runId,
    graph,
    facts: [{ type: 'released', path, attempt: 1, workerId: worker, line }],
  });
  return false;
}
const ended = (path: string, into = hot) =>
  into.limits.ended({ runId, path, workerId: worker, keys: into.limits.covering(workspaceId, called) });

test('L3: two processes that ask at once are granted together what the limit says', async () => {
  await setTo({ concurrency: 3 });
  const asked = await Promise.all(document.nodes.map(({ id }, i) => ask(id, i % 2 ? hot : other)));
  expect(asked.filter(Boolean)).toHaveLength(3);
  expect(await listCallLimits(hot, workspaceId)).toEqual([
    { target, scope: 'workspace', concurrency: 3, underWay: 3, waiting: 5 },
  ]);
});

test('L4, V8: when a call ends the next in line is rung for, its permit kept; V15: until then it says what it waits for', async () => {
  await setTo({ concurrency: 1, requests: 100, windowMs: 60_000 });
  expect([await ask('n0'), await ask('n1', other), await ask('n2')]).toEqual([true, false, false]);
  const waits = { kind: 'limit', detail: { reason: 'rate_limit', limit: target } };
  expect(await getNodeRun(store.orm, { workspaceId, runId, path: 'n1' })).toMatchObject({
    status: 'ready',
    attempt: 0,
    waitingFor: waits,
  });
  expect(await getRun(store.orm, { workspaceId, runId })).toMatchObject({
    waitingFor: { ...waits, detail: { ...waits.detail, paths: ['n1', 'n2'] } },
  });
  ended('n0');
  await expect.poll(() => rung).toEqual(['n1']);
  expect(await ask('n3')).toBe(false);
  await claim('n1');
  expect(await ask('n1')).toBe(true);
  ended('n1', other);
  await expect.poll(() => rung).toEqual(['n1', 'n2']);
  expect((await checkRowsEqualFold(store.pool, [runId])).differences).toEqual([]);
});

test('L4: who stands in line for a window to pass is rung for when it has, and the instant is told', async () => {
  await setTo({ requests: 1, windowMs: 300 });
  const wakes: number[] = [];
  const stop = hot.live.subscribe(({ wakeAt }) => wakeAt && wakes.push(wakeAt));
  expect([await ask('n0'), await ask('n1')]).toEqual([true, false]);
  await expect.poll(() => wakes.length).toBeGreaterThan(0);
  stop();
  await expect.poll(() => other.limits.lookAtDue().then(() => rung)).toEqual(['n1']);
});

test('V3: what a worker that died had leave for is taken back', async () => {
  await setTo({ concurrency: 1 });
  expect([await ask('n0'), await ask('n1')]).toEqual([true, false]);
  await other.limits.takeBack([worker]);
  await expect.poll(() => rung).toEqual(['n1']);
});

test('L8: a permit that was kept for a node run that nobody takes up goes to the next', async () => {
  await setTo({ concurrency: 1 });
  expect([await ask('n0'), await ask('n1'), await ask('n2')]).toEqual([true, false, false]);
  ended('n0');
  await expect.poll(() => rung).toEqual(['n1']);
  await other.limits.lookEverywhere();
  expect(rung).toEqual(['n1']);
  await store.pool.query("update permit set taken_at = now() - interval '1 minute'");
  await expect.poll(() => other.limits.lookEverywhere().then(() => rung)).toEqual(['n1', 'n2']);
});

test('L9: a service that asks to be left alone is left alone by every process, and its line goes on after that', async () => {
  expect(hot.limits.covering(workspaceId, called)).toEqual([]);
  await hot.limits.pause(workspaceId, called, 60_000, 'too');
  await other.limits.load();
  expect(await ask('n0', other)).toBe(false);
  expect(other.limits.covering(workspaceId, 'openai:gpt-6')).toEqual([]);
  expect(await listCallLimits(hot, workspaceId)).toMatchObject([{ target: called, scope: 'everybody' }]);
  await store.pool.query('update call_limit set paused_until = now(), wake_at = now()');
  await expect.poll(() => other.limits.lookAtDue().then(() => rung)).toEqual(['n0']);
});

test('L6: a limit that is removed lets go on what it held up; one of another workspace holds nobody up', async () => {
  await setTo({ concurrency: 1 });
  expect(hot.limits.covering('another', called)).toEqual([]);
  expect([await ask('n0'), await ask('n1'), await ask('n2')]).toEqual([true, false, false]);
  await removeCallLimit(other, { workspaceId, target });
  await expect.poll(() => rung.sort()).toEqual(['n1', 'n2']);
  expect(other.limits.covering(workspaceId, called)).toEqual([]);
  await expect(removeCallLimit(other, { workspaceId, target })).rejects.toMatchObject({
    code: 'limit_not_found',
  });
});

// Which mistake would this catch? More runs of a key under way than the flow says, one that waits for a run that has ended, one that a
// stray doorbell begins before its turn (L10, C14, V8).
import { compileGraph, type FlowDocument } from '@pawl/dag-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  checkRowsEqualFold,
  claimNodeRuns,
  DEFAULT_WORKSPACE_ID,
  findForgotten,
  getRun,
  HotStore,
  newId,
  publishFlow,
  registerWorker,
  startRun,
} from '../src/index.ts';
import { addOtherWorkspace, OTHER_WORKSPACE_ID, openTestStore, type TestStore } from './support/seed.ts';

const document = {
  format: 'pawl/1',
  name: 'keyed',
  concurrency: { key: '{{ input.customer }}', limit: 2 },
  nodes: [{ id: 'a', kind: 'transform', value: 1 }],
  edges: [],
};
const graph = compileGraph(document as unknown as FlowDocument);

let store: TestStore;
let hot: HotStore;
let other: HotStore;
let rung: string[];
let worker: string;
const open = () =>
  HotStore.open({
    url: store.url,
    connections: 4,
    ring: async (bells) => void rung.push(...bells.map(({ runId }) => runId)),
    onError: (error) => {
      throw error;
    },
  });
beforeAll(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
  for (const workspaceId of [DEFAULT_WORKSPACE_ID, OTHER_WORKSPACE_ID])
    await publishFlow(store.orm, { workspaceId, flow: 'keyed', document });
  [hot, other] = [await open(), await open()];
  worker = newId();
  const identity = { id: worker, lockKey: '1', host: 'h', pid: 1, processStarted: '0', pools: ['default'] };
  await registerWorker(hot.pool, identity, 600_000);
});
afterAll(async () => {
  await Promise.all([hot.close(), other.close()]);
  await store.close();
});
beforeEach(() => {
  rung = [];
});

let customers = 0;
const aCustomer = () => `c${customers++}`;
async function start(customer: string, more: { priority?: number; workspaceId?: string } = {}, into = hot) {
  const request = { workspaceId: DEFAULT_WORKSPACE_ID, flow: 'keyed', input: { customer }, trigger: 'test' };
  return (await startRun(into, { ...request, ...more })).runId;
}
const claim = (runId: string) => claimNodeRuns(hot.pool, worker, [{ runId, path: 'a' }], []);
/** Works on a run to its end. */
async function end(runId: string, into = hot) {
  const [claimed] = await claim(runId);
  const by = { path: 'a', attempt: claimed!.attempt, workerId: worker };
  const facts = [
    { ...by, type: 'succeeded' as const, output: 1 },
    { type: 'runEnded' as const, output: 1 },
  ];
  expect((await into.commit({ runId, graph, facts })).run?.status).toBe('succeeded');
}

test('L10: as many runs of a key as the flow says begin, whoever starts them; those of others do not wait for them', async () => {
  const customer = aCustomer();
  const starting = Array.from({ length: 12 }, (_, i) => start(customer, {}, i % 2 ? hot : other));
  const runIds = await Promise.all(starting);
  await expect.poll(() => rung.length).toBe(2);
  const [elsewhere, someoneElse] = [
    await start(customer, { workspaceId: OTHER_WORKSPACE_ID }),
    await start(aCustomer()),
  ];
  await expect.poll(() => rung).toEqual(expect.arrayContaining([elsewhere, someoneElse]));
  expect(rung.filter((runId) => runIds.includes(runId))).toHaveLength(2);
});

test('L10, V15: the next begins when one has ended: the more urgent first, then the one that was started first', async () => {
  const customer = aCustomer();
  const [first, second, third, fourth] = [
    await start(customer),
    await start(customer),
    await start(customer),
    await start(customer),
  ];
  const urgent = await start(customer, { priority: 1 });
  await expect.poll(() => rung).toEqual([first, second]);
  expect(await getRun(store.orm, { workspaceId: DEFAULT_WORKSPACE_ID, runId: third! })).toMatchObject({
    status: 'pending',
    waitingFor: { kind: 'limit', detail: { reason: 'concurrency', key: customer, paths: ['a'] } },
  });
  await end(second!, other);
  await expect.poll(() => rung).toEqual([first, second, urgent]);
  await end(first!);
  await expect.poll(() => rung).toEqual([first, second, urgent, third]);
  await end(urgent);
  await expect.poll(() => rung.at(-1)).toBe(fourth);
  expect((await checkRowsEqualFold(store.pool, [first!, second!, third!, urgent])).differences).toEqual([]);
});

test('C14: a run that is cancelled gives its place to the next, and one that waits leaves the line', async () => {
  const customer = aCustomer();
  const runIds = [await start(customer), await start(customer), await start(customer), await start(customer)];
  await expect.poll(() => rung).toEqual(runIds.slice(0, 2));
  const cancel = (runId: string) => hot.commit({ runId, graph, facts: [{ type: 'cancel', by: 'ada' }] });
  expect((await cancel(runIds[2]!)).run?.status).toBe('cancelled');
  expect((await cancel(runIds[0]!)).run?.status).toBe('cancelled');
  await expect.poll(() => rung).toEqual([runIds[0], runIds[1], runIds[3]]);
});

test('L10: a stray doorbell begins no run before its turn, and none is found forgotten', async () => {
  const customer = aCustomer();
  const runIds = [await start(customer), await start(customer), await start(customer)];
  await expect.poll(() => rung).toEqual(runIds.slice(0, 2));
  expect(await claim(runIds[2]!)).toEqual([]);
  const pause = { type: 'pauseRun' as const, by: 'ada' };
  await hot.commit({ runId: runIds[2]!, graph, facts: [pause] });
  await hot.commit({ runId: runIds[2]!, graph, facts: [{ type: 'resumeRun', by: 'ada' }] });
  expect(await claim(runIds[2]!)).toEqual([]);
  expect((await findForgotten(hot.pool, 0, 100)).map(({ runId }) => runId)).not.toContain(runIds[2]);
  await end(runIds[0]!);
  await expect.poll(() => claim(runIds[2]!)).toHaveLength(1);
});

test('V8: what a process that died had to look at is found by others', async () => {
  const customer = aCustomer();
  const runIds = [await start(customer), await start(customer), await start(customer)];
  await expect.poll(() => rung).toEqual(runIds.slice(0, 2));
  await store.pool.query(`update run set status = 'failed' where id = $1`, [runIds[0]]);
  await other.runKeys.lookEverywhere();
  await expect.poll(() => rung).toEqual(runIds);
});

test('an input that gives no key is refused', async () => {
  const request = { workspaceId: DEFAULT_WORKSPACE_ID, flow: 'keyed', input: {}, trigger: 'test' };
  await expect(startRun(hot, request)).rejects.toMatchObject({ code: 'input_invalid' });
});

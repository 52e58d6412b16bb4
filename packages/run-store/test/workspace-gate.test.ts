// Which mistake would this catch? A workspace that fills the system without end, one that is refused for what others do, and a start that
// is sent again and gets another answer than its run. And doorbells that do not say whose turn they are.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  DEFAULT_WORKSPACE_ID,
  findForgotten,
  findUnrung,
  HotStore,
  newId,
  publishFlow,
  registerWorker,
  startRun,
  WorkspaceGate,
} from '../src/index.ts';
import { addOtherWorkspace, OTHER_WORKSPACE_ID, openTestStore, type TestStore } from './support/seed.ts';

const document = {
  format: 'pawl/1',
  name: 'one',
  nodes: [{ id: 'a', kind: 'transform', value: 1 }],
  edges: [],
};
const ids = [DEFAULT_WORKSPACE_ID, OTHER_WORKSPACE_ID];
let store: TestStore;
let hot: HotStore;
let rung: (string | undefined)[] = [];
let isQueueAway = false;
beforeAll(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
  for (const workspaceId of ids) await publishFlow(store.orm, { workspaceId, flow: 'one', document });
  hot = await HotStore.open({
    url: store.url,
    connections: 4,
    ring: async (bells) => {
      if (isQueueAway) throw new Error('away');
      rung.push(...bells.map(({ workspaceId }) => workspaceId));
    },
    onError: () => {},
  });
});
afterAll(async () => {
  await hot.close();
  await store.close();
});
const start = (gate?: WorkspaceGate, workspaceId = DEFAULT_WORKSPACE_ID, more: { dedupeKey?: string } = {}) =>
  startRun(
    hot,
    { workspaceId, flow: 'one', input: null, trigger: 'test', ...more },
    gate && (() => gate.refusal(workspaceId)),
  );

test('a workspace with too many runs that wait to start is refused more, for as long, and no other one is', async () => {
  await store.pool.query('delete from run');
  const gate = new WorkspaceGate(hot.pool, 20);
  const first = await start(gate, DEFAULT_WORKSPACE_ID, { dedupeKey: 'k' });
  const more = await Promise.allSettled(Array.from({ length: 40 }, () => start(gate)));
  const refused = more.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  // A look may miss those that are being admitted: a tenth more at most.
  expect(more.length - refused.length).toBeGreaterThanOrEqual(19);
  expect(more.length - refused.length).toBeLessThanOrEqual(21);
  expect(refused[0]).toMatchObject({
    code: 'queue_full',
    values: { of: 'workspace', limit: 20 },
  });
  expect(await start(gate, DEFAULT_WORKSPACE_ID, { dedupeKey: 'k' })).toEqual({
    ...first,
    result: 'duplicate',
  });
  expect((await start(gate, OTHER_WORKSPACE_ID)).result).toBe('started');
  await store.pool.query(`update run set status = 'running' where workspace_id = $1`, [DEFAULT_WORKSPACE_ID]);
  await expect
    .poll(() =>
      start(gate).then(
        ({ result }) => result,
        () => 'refused',
      ),
    )
    .toBe('started');
});

test('every way a doorbell is rung says which workspace it is for', async () => {
  rung = [];
  for (const workspaceId of ids) await start(undefined, workspaceId);
  await expect.poll(() => [...rung].sort()).toEqual(ids);
  isQueueAway = true;
  for (const workspaceId of ids) await start(undefined, workspaceId);
  const unrung = await findUnrung(hot.pool, 0, 10);
  expect(unrung.map(({ workspaceId }) => workspaceId).sort()).toEqual(ids);
  const identity = { id: newId(), lockKey: '1', host: 'h', pid: 1, processStarted: '0', pools: ['default'] };
  await registerWorker(hot.pool, identity, 60_000);
  const forgotten = await findForgotten(hot.pool, 0, 100);
  expect([...new Set(forgotten.map(({ workspaceId }) => workspaceId))].sort()).toEqual(ids);
});

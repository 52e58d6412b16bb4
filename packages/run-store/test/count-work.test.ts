// Would catch: a gauge that counts what has ended, misses what waits, or says that nothing waits because it asked wrongly.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HotPool, openHotPool } from '../src/hot-pool.ts';
import { countWork, newId, registerWorker, stopWorker } from '../src/index.ts';
import { openTestStore, seedNodeRun, seedRun, type TestStore } from './support/seed.ts';

let store: TestStore;
let hot: HotPool;
beforeAll(async () => {
  store = await openTestStore();
  hot = openHotPool(store.url, 2, () => {});
});
afterAll(async () => {
  await hot.end();
  await store.close();
});

test('when nothing is open, everything is zero and nothing is old', async () => {
  expect(await countWork(hot)).toEqual({
    outbox: 0,
    outboxSeconds: null,
    ready: 0,
    readySeconds: null,
    running: 0,
    retryWait: 0,
    uncertain: 0,
    blocked: 0,
    runs: {},
    workers: 0,
    leaseSeconds: null,
  });
});

test('when work is open, it is counted by what it waits for, with the age of the oldest', async () => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  const running = await seedRun(store.pool);
  const paused = await seedRun(store.pool, { status: 'paused' });
  await seedRun(store.pool, { status: 'succeeded' });
  const nodeRun = (runId: string, path: string, status: string, more: object = {}) =>
    seedNodeRun(store.pool, runId, { path, status, ...more });
  await nodeRun(running, 'a', 'ready', { status_at: ago(100) });
  await nodeRun(running, 'b', 'ready', { status_at: ago(10) });
  await nodeRun(running, 'c', 'running');
  await nodeRun(running, 'd', 'retry_wait', { wake_at: ago(-60) });
  await nodeRun(running, 'e', 'uncertain');
  await nodeRun(running, 'f', 'succeeded');
  await nodeRun(paused, 'a', 'blocked');
  await nodeRun(paused, 'b', 'blocked');
  await store.pool.query(
    `insert into outbox (run_id, path, created_at) values ($1, 'a', $2), ($1, 'b', now())`,
    [running, ago(100)],
  );
  const worker = (id: string) => ({
    id,
    lockKey: '1',
    host: 'h',
    pid: 1,
    processStarted: '1',
    pools: ['default'],
  });
  const [one, two, gone] = [newId(), newId(), newId()];
  await registerWorker(hot, worker(one), 600_000);
  await registerWorker(hot, worker(two), 300_000);
  await registerWorker(hot, worker(gone), 300_000);
  await stopWorker(hot, gone);

  const { outboxSeconds, readySeconds, leaseSeconds, ...counts } = await countWork(hot);
  expect(counts).toEqual({
    outbox: 2,
    ready: 2,
    running: 1,
    retryWait: 1,
    uncertain: 1,
    blocked: 2,
    runs: { running: 1, paused: 1 },
    workers: 2,
  });
  // Ages are told by the clock of the database; nothing here takes minutes.
  expect(Math.round(outboxSeconds! / 100)).toBe(1);
  expect(Math.round(readySeconds! / 100)).toBe(1);
  expect(Math.round(leaseSeconds! / 300)).toBe(1);
});

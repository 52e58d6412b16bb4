// Would catch: a lease that runs out while the event loop is blocked (C43), and a worker that learns too late that it lost it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../src/index.ts';
import { LeaseKeeper, registerWorker, stopWorker } from '../src/work/index.ts';
import { openTestStore, type TestStore } from './support/seed.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const LEASE_MS = 600;

async function keep() {
  const workerId = newId();
  const heard = { renewed: 0, lost: 0, problems: [] as string[] };
  const takenAt = process.hrtime.bigint();
  const identity = { id: workerId, lockKey: '1', host: 'h', pid: 1, processStarted: 's', pools: ['default'] };
  await registerWorker(store.pool, identity, LEASE_MS);
  const keeper = new LeaseKeeper({
    url: store.url,
    workerId,
    leaseMs: LEASE_MS,
    stuckMs: 60_000,
    onRenewed: () => {
      heard.renewed += 1;
    },
    onLost: () => {
      heard.lost += 1;
    },
    onError: (error) => heard.problems.push(error.message),
  });
  keeper.start(takenAt);
  return { keeper, workerId, heard };
}

async function leftInDatabase(workerId: string): Promise<number> {
  const { rows } = await store.pool.query<{ left: number }>(
    'select extract(epoch from lease_until - clock_timestamp())::float8 * 1000 as left from worker where id = $1',
    [workerId],
  );
  return rows[0]!.left;
}

function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('C43: while the event loop is blocked for twice its length, the lease stays in force', async () => {
  const { keeper, workerId, heard } = await keep();
  await expect.poll(() => heard.renewed).toBeGreaterThan(0);
  block(2 * LEASE_MS);
  expect(keeper.leftMs, 'known before any message is heard').toBeGreaterThan(0);
  expect(await leftInDatabase(workerId)).toBeGreaterThan(0);
  expect(heard.lost).toBe(0);
  keeper.stop();
});

test('what is left is never more than the database grants', async () => {
  const { keeper, workerId, heard } = await keep();
  await expect.poll(() => heard.renewed).toBeGreaterThan(1);
  const own = keeper.leftMs;
  const granted = await leftInDatabase(workerId);
  // The look itself takes time, which only makes `granted` smaller; a renewal in between makes it larger.
  expect(own).toBeLessThanOrEqual(Math.max(granted, 0) + LEASE_MS / 3 + 50);
  keeper.stop();
});

test('a worker that was declared dead learns it with the next renewal, also in the middle of a block', async () => {
  const { keeper, workerId, heard } = await keep();
  await expect.poll(() => heard.renewed).toBeGreaterThan(0);
  await stopWorker(store.pool, workerId);
  block(LEASE_MS);
  expect(keeper.isLost, 'known before any message is heard').toBe(true);
  await expect.poll(() => heard.lost).toBe(1);
});

test('a connection that is cut is made again', async () => {
  const { keeper, heard } = await keep();
  await expect.poll(() => heard.renewed).toBeGreaterThan(0);
  await store.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pawl lease'",
  );
  await expect.poll(() => heard.problems.length).toBeGreaterThan(0);
  const before = heard.renewed;
  await expect.poll(() => heard.renewed).toBeGreaterThan(before);
  expect(heard.lost).toBe(0);
  keeper.stop();
});

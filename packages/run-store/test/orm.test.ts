// Catches: a lost connection that ends the process or is used again, and an opener that needs a database to be there.
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DEFAULT_WORKSPACE_ID, listFlows, listRuns, openOrm, readEvents } from '../src/index.ts';
import { openTestStore, seedEvent, seedRun, type TestStore } from './support/seed.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const workspaceId = DEFAULT_WORKSPACE_ID;

test('when the server closes every connection, the next reads open new ones and nothing is printed', async () => {
  const printed = [vi.spyOn(console, 'log'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')];
  const runId = await seedRun(store.pool);
  await seedEvent(store.pool, runId, { seq: 1, type: 'run.admitted', data: { v: 1 } });
  const read = async () => {
    await Promise.all(Array.from({ length: 6 }, () => listRuns(store.orm, workspaceId)));
    return (await readEvents(store.orm, { workspaceId, runId }))!.events.length;
  };
  expect(await read()).toBe(1);
  const closer = new pg.Client({ connectionString: store.url });
  await closer.connect();
  for (let round = 0; round < 3; round += 1) {
    await closer.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name ~ '^pawl (orm|bytes)'`);
    await expect
      .poll(() => read().catch((error) => error.message), { timeout: 10_000, interval: 20 })
      .toBe(1);
  }
  await closer.end();
  for (const spy of printed) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  }
});

test('without a database it opens, and each read is refused at once', async () => {
  const orm = await openOrm('postgres://nobody@127.0.0.1:1/none');
  await expect(listFlows(orm, workspaceId)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await orm.close();
});

test('more readers than connections take turns', async () => {
  const orm = await openOrm(store.url, { maxConnections: 1 });
  const pages = await Promise.all(Array.from({ length: 50 }, () => listRuns(orm, workspaceId)));
  expect(pages.every((page) => page.items.length === 1)).toBe(true);
  await orm.close();
});

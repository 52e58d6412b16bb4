// Which mistake would this catch? A signal that two node runs take, or none; one that is lost between two commits; one that is sent
// twice; a name that fills the database.
import { compileGraph, type FlowDocument, foldJournal, type Json } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  claimNodeRuns,
  DEFAULT_WORKSPACE_ID,
  forgetOld,
  HotStore,
  listSignals,
  newId,
  newRunId,
  publishFlow,
  type SignalToSend,
  sendSignal,
  waitKeyOf,
} from '../src/index.ts';
import { addOtherWorkspace, OTHER_WORKSPACE_ID, openTestStore, type TestStore } from './support/seed.ts';

const workspaceId = DEFAULT_WORKSPACE_ID;
const document: FlowDocument = {
  format: 'pawl/1',
  name: 'waits',
  nodes: [{ id: 'w', kind: 'wait', signal: { name: 'go' } }],
  edges: [],
};
const graph = compileGraph(document);

let store: TestStore;
/** Two stores on one database, like two processes. */
let stores: [HotStore, HotStore];
let versionId: string;
beforeAll(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
  const open = () => HotStore.open({ url: store.url, ring: async () => {}, onError: () => {} });
  stores = [await open(), await open()];
  const { version } = await publishFlow(store.orm, {
    workspaceId,
    flow: 'waits',
    document: document as unknown as Json,
    registered: {},
  });
  versionId = version.id;
});
afterAll(async () => {
  await Promise.all(stores.map((hot) => hot.close()));
  await store.close();
});

/** A run whose wait node waits for `go` with the key; resolves when that is committed. */
async function waiting(key: string, hot: HotStore = stores[0], more: object = {}): Promise<string> {
  const runId = newRunId();
  await hot.admit({
    runId,
    workspaceId,
    flow: 'waits',
    versionId,
    graph,
    input: null,
    budget: {},
    trigger: 'test',
    seed: runId,
  });
  const workerId = newId();
  const [claimed] = await claimNodeRuns(hot.pool, workerId, [{ runId, path: 'w' }], []);
  const signal = { name: 'go', key, waitKey: waitKeyOf(workspaceId, 'go', key) };
  await hot.commit({
    runId,
    graph,
    facts: [{ type: 'waits', path: 'w', attempt: claimed!.attempt, workerId, signal, ...more }],
  });
  return runId;
}
let sent = 0;
const aSignal = (key: string, more: Partial<SignalToSend> = {}): SignalToSend => ({
  workspaceId,
  name: 'go',
  key,
  payload: null,
  id: `s-${++sent}`,
  by: 'test',
  ...more,
});
/** The id of the signal that a run took, once it has one. */
async function tookBy(runId: string): Promise<string> {
  const took = async () => {
    const { rows } = await store.pool.query(
      `select data ->> 'signal' as id from journal where run_id = $1 and type = 'signal.received'`,
      [runId],
    );
    expect(rows.length).toBeLessThan(2);
    return rows[0]?.id as string | undefined;
  };
  await expect.poll(took).toBeDefined();
  return (await took())!;
}
const statusOf = async (runId: string) =>
  (await store.pool.query('select status from node_run where run_id = $1', [runId])).rows[0].status;

describe('a signal', () => {
  test('T18: that is waited for is taken at once', async () => {
    const runId = await waiting('a');
    const signal = aSignal('a', { payload: { n: [1, 'ü'] } });
    expect(await sendSignal(stores[1], signal)).toEqual({
      result: 'sent',
      id: signal.id,
      takenBy: { runId, path: 'w' },
    });
    const { rows } = await store.pool.query(
      `select data -> 'output' as output from journal where run_id = $1 and type = 'outcome.succeeded'`,
      [runId],
    );
    expect(rows[0].output).toMatchObject({
      name: 'go',
      key: 'a',
      payload: { n: [1, 'ü'] },
      id: signal.id,
      by: 'test',
    });
  });

  test('T18: that comes early is kept until somebody waits, oldest first', async () => {
    const signals = [aSignal('b'), aSignal('b'), aSignal('b')];
    for (const signal of signals)
      expect(await sendSignal(stores[0], signal)).toEqual({ result: 'sent', id: signal.id });
    for (const signal of signals) expect(await tookBy(await waiting('b', stores[1]))).toBe(signal.id);
  });

  test('T18: goes to whoever has waited longest', async () => {
    const runs = [await waiting('c'), await waiting('c'), await waiting('c')];
    for (const runId of runs)
      expect((await sendSignal(stores[0], aSignal('c'))).takenBy).toEqual({ runId, path: 'w' });
  });

  test('T18: another name, key or workspace is another signal', async () => {
    const runId = await waiting('d');
    for (const other of [{ name: 'stop' }, { key: 'D' }, { key: '' }, { workspaceId: OTHER_WORKSPACE_ID }])
      expect((await sendSignal(stores[0], aSignal('d', other))).takenBy).toBeUndefined();
    expect(await statusOf(runId)).toBe('waiting');
  });

  test('to one run is taken by that run only, and does not stand in the way of others', async () => {
    const [first, second] = [await waiting('e'), await waiting('e')];
    const early = newRunId();
    expect((await sendSignal(stores[0], aSignal('e', { toRun: early }))).takenBy).toBeUndefined();
    expect((await sendSignal(stores[0], aSignal('e', { toRun: second }))).takenBy?.runId).toBe(second);
    expect((await sendSignal(stores[0], aSignal('e'))).takenBy?.runId).toBe(first);
  });

  test('sent twice under one id is one; another body under it is refused', async () => {
    const signal = aSignal('f', { payload: { a: 1, b: 2 } });
    await sendSignal(stores[0], signal);
    expect(await sendSignal(stores[1], { ...signal, payload: { b: 2, a: 1 } })).toMatchObject({
      result: 'duplicate',
    });
    await expect(sendSignal(stores[1], { ...signal, payload: 3 })).rejects.toMatchObject({
      code: 'signal_conflict',
    });
    const runId = await waiting('f');
    expect(await tookBy(runId)).toBe(signal.id);
    expect(await sendSignal(stores[0], signal)).toEqual({
      result: 'duplicate',
      id: signal.id,
      takenBy: { runId, path: 'w' },
    });
    expect(await statusOf(await waiting('f')), 'it was taken').toBe('waiting');
  });

  test('of more than 256 KB is refused', async () => {
    await expect(
      sendSignal(stores[0], aSignal('g', { payload: 'x'.repeat(256 * 1024) })),
    ).rejects.toMatchObject({
      code: 'signal_too_large',
      values: { limitBytes: 262_144 },
    });
  });

  test('is not kept when ten thousand of its name are, until some are taken or forgotten', async () => {
    await store.pool.query(
      `insert into signal (workspace_id, id, name, key, wait_key, payload, body_hash, sent_by, expires_at)
       select $1, 'full-' || n, 'full', n::text, 'k' || n, '1', 'h', 'test', now() + interval '1 day' from generate_series(1, 10000) n`,
      [workspaceId],
    );
    await expect(sendSignal(stores[0], aSignal('h', { name: 'full' }))).rejects.toMatchObject({
      code: 'signals_full',
    });
    expect((await sendSignal(stores[0], aSignal('h'))).result, 'another name').toBe('sent');
    await store.pool.query(`update signal set expires_at = now() - interval '1 second' where id = 'full-7'`);
    expect((await sendSignal(stores[0], aSignal('h', { name: 'full' }))).result).toBe('sent');
    await store.pool.query(`delete from signal where name = 'full'`);
  });

  test('is forgotten after seven days, and then taken by nobody', async () => {
    const signal = aSignal('i');
    await sendSignal(stores[0], signal);
    const { rows } = await store.pool.query('select expires_at - sent_at as kept from signal where id = $1', [
      signal.id,
    ]);
    expect(rows[0].kept).toMatchObject({ days: 7 });
    await store.pool.query('update signal set expires_at = now() where id = $1', [signal.id]);
    expect(await statusOf(await waiting('i'))).toBe('waiting');
    await forgetOld(stores[0].pool);
    expect((await sendSignal(stores[0], signal)).result).toBe('sent');
  });
});

test('T18: two processes, many keys, every order: each signal reaches one node run, each node run gets one', async () => {
  const keys = ['x', 'y', 'z'];
  const runs: Promise<string>[] = [];
  const signals: Promise<unknown>[] = [];
  for (let i = 0; i < 120; i++) {
    const hot = stores[i % 2]!;
    const key = keys[i % 3]!;
    runs.push(waiting(key, hot));
    signals.push(sendSignal(hot, aSignal(key, { id: `many-${i}` })));
    if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const runIds = await Promise.all(runs);
  await Promise.all(signals);
  const taken = await Promise.all(runIds.map(tookBy));
  expect(new Set(taken).size).toBe(120);
  const { rows } = await store.pool.query(
    `select count(*)::int as kept from signal where id like 'many-%' and delivered_at is null`,
  );
  expect(rows[0].kept).toBe(0);
}, 120_000);

describe('when a process died', () => {
  test('T18: before it looked, others look for it', async () => {
    const runId = await waiting('l');
    // The look of the one who waits is over, so that what comes now was not seen by it.
    await stores[0].signals.look(waitKeyOf(workspaceId, 'go', 'l'));
    await store.pool.query(
      `insert into signal (workspace_id, id, name, key, wait_key, payload, body_hash, sent_by, expires_at)
       values ($1, 'unseen', 'go', 'l', $2, '1', 'h', 'test', now() + interval '1 day')`,
      [workspaceId, waitKeyOf(workspaceId, 'go', 'l')],
    );
    expect(await stores[1].signals.lookEverywhere()).toBe(1);
    expect(await tookBy(runId)).toBe('unseen');
    expect(await stores[1].signals.lookEverywhere()).toBe(0);
  });

  test('T18: after it took a signal, others deliver it, once', async () => {
    const runId = await waiting('m');
    await store.pool.query(
      `insert into signal (workspace_id, id, name, key, wait_key, payload, body_hash, sent_by, expires_at, run_id, path, taken_at)
       values ($1, 'taken', 'go', 'm', $2, '1', 'h', 'test', now() + interval '1 day', $3, 'w', now() - interval '1 minute')`,
      [workspaceId, waitKeyOf(workspaceId, 'go', 'm'), runId],
    );
    expect(
      (await sendSignal(stores[0], aSignal('m'))).takenBy,
      'the node run has its signal',
    ).toBeUndefined();
    await Promise.all(stores.map((hot) => hot.signals.deliverLate()));
    expect(await tookBy(runId)).toBe('taken');
    await store.pool.query(`update signal set delivered_at = null where id = 'taken'`);
    await stores[0].signals.deliverLate();
    expect(await tookBy(runId), 'told again it changes nothing').toBe('taken');
    const { rows } = await store.pool.query(`select delivered_at from signal where id = 'taken'`);
    expect(rows[0].delivered_at).not.toBeNull();
  });

  test('T18: a signal whose node run waits no more is kept again, for the next', async () => {
    const gone = await waiting('n');
    await store.pool.query(
      `insert into signal (workspace_id, id, name, key, wait_key, payload, body_hash, sent_by, expires_at, run_id, path, taken_at)
       values ($1, 'back', 'go', 'n', $2, '1', 'h', 'test', now() + interval '1 day', $3, 'w', now() - interval '1 minute')`,
      [workspaceId, waitKeyOf(workspaceId, 'go', 'n'), gone],
    );
    await stores[0].commit({ runId: gone, graph, facts: [{ type: 'cancel', by: 'test' }] });
    const next = await waiting('n');
    await stores[1].signals.deliverLate();
    expect(await tookBy(next)).toBe('back');
  });
});

test('kept signals are listed, oldest first, page by page, of one workspace', async () => {
  const ids: string[] = [];
  for (const key of ['1', '2', '3'])
    ids.push((await sendSignal(stores[0], aSignal(key, { name: 'listed' }))).id);
  await sendSignal(stores[0], aSignal('4', { name: 'listed', workspaceId: OTHER_WORKSPACE_ID }));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listSignals(store.orm, workspaceId, {
      name: 'listed',
      limit: 2,
      ...(cursor !== undefined && { cursor }),
    });
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(ids);
  await expect(listSignals(store.orm, workspaceId, { cursor: 'x' })).rejects.toMatchObject({
    code: 'cursor_invalid',
  });
});

test('V12: rows are the fold of the journal', async () => {
  const runId = await waiting('p');
  await sendSignal(stores[0], aSignal('p'));
  const { rows } = await store.pool.query('select * from journal where run_id = $1 order by seq', [runId]);
  const fold = foldJournal(
    graph,
    rows.map((row) => ({ ...row, at: 0 })),
  );
  expect(fold.rows.get('w')).toMatchObject({ status: 'succeeded', waitKey: undefined });
});

// Catches: a row that tells something else than its journal (V12) without anybody noticing, or a check that cries wolf.
import type { JsonObject } from '@pawl/dag-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkRowsEqualFold, checkSchema } from '../src/index.ts';
import { DrivenRun, type DrivenStore, openDrivenStore } from './support/driven-run.ts';

let store: DrivenStore;
beforeAll(async () => {
  store = await openDrivenStore();
});
afterAll(() => store.close());

const DOCUMENT: JsonObject = {
  format: 'pawl/1',
  name: 'checked',
  nodes: [
    { id: 'a', kind: 'transform', value: 1, onError: { do: 'pause' } },
    { id: 'b', kind: 'transform', value: 2 },
    {
      id: 'each',
      kind: 'map',
      over: [1, 2, 3],
      body: { nodes: [{ id: 'in', kind: 'transform', value: 3 }], edges: [] },
    },
    { id: 'end', kind: 'join' },
  ],
  edges: [
    { from: 'a', to: 'b' },
    { from: 'a', to: 'each' },
    { from: 'b', to: 'end' },
    { from: 'each', to: 'end' },
  ],
};

const check = async (run: DrivenRun) => (await checkRowsEqualFold(store.pool, [run.runId])).differences;

describe('rows and journal agree', () => {
  test('after every step: claimed, given back, retried, mapped, waiting', async () => {
    const run = await DrivenRun.start(store, DOCUMENT);
    const { runId, workerId } = run;
    expect(await check(run)).toEqual([]);
    const attempt = await run.claim('a');
    expect(await check(run)).toEqual([]);
    await run.tell({ type: 'released', path: 'a', attempt, workerId });
    expect(await check(run)).toEqual([]);
    const failure = { code: 'busy', message: 'Try \u0000 later.', class: 'permanent' } as const;
    await run.tell({
      type: 'failed',
      path: 'a',
      attempt: await run.claim('a'),
      workerId,
      failure,
      random: 0.5,
    });
    expect(await check(run)).toEqual([]);
    await run.tell({ type: 'retryNode', path: 'a', by: 'local' });
    await run.succeed('a', 'ok');
    expect(await check(run)).toEqual([]);
    const again = { ...failure, class: 'transient' } as const;
    await run.tell({
      type: 'failed',
      path: 'b',
      attempt: await run.claim('b'),
      workerId,
      failure: again,
      random: 0.3,
    });
    expect(await check(run)).toEqual([]);
    const expanding = await run.claim('each');
    await run.tell({
      type: 'expanded',
      path: 'each',
      attempt: expanding,
      workerId,
      count: 3,
      itemsHash: 'h',
    });
    await run.succeed('each/1/in', 5);
    expect(await check(run)).toEqual([]);
    const { checkedRuns, checkedNodeRuns } = await checkRowsEqualFold(store.pool, [runId]);
    expect([checkedRuns, checkedNodeRuns]).toEqual([1, 9]);
  });

  test('after a cancel', async () => {
    const run = await DrivenRun.start(store, DOCUMENT);
    await run.claim('a');
    await run.tell({ type: 'cancel', by: 'local' });
    expect(await check(run)).toEqual([]);
    await run.tell({ type: 'graceOver' });
    expect(await check(run)).toEqual([]);
  });
});

describe('a row that was tampered with is found', () => {
  let run: DrivenRun;
  beforeEach(async () => {
    run = await DrivenRun.start(store, DOCUMENT);
    await run.succeed('a', 'ok');
  });

  test.each([
    ['a status', "update node_run set status = 'skipped' where path = 'b'", 'b', 'status'],
    ['an output place', "update node_run set output_seq = 1 where path = 'a'", 'a', 'outputSeq'],
    ['a cost', "update node_run set cost_nano_usd = 5 where path = 'a'", 'a', 'costNanoUsd'],
    ['an attempt that is too low', "update node_run set attempt = 0 where path = 'a'", 'a', 'attempt'],
    [
      'a claim by nobody',
      "update node_run set status = 'running', worker_id = null where path = 'b'",
      'b',
      'holder',
    ],
    ['a lost row', "delete from node_run where path = 'b'", 'b', 'row'],
    ['a run counter', 'update run set open_count = 9', '', 'openCount'],
    ['a spent amount', 'update run set spent_tokens = 3', '', 'spent'],
    ['a failure', `update run set failure = '{"code":"x"}'`, '', 'failure'],
    ['a gap in the journal', 'delete from journal where seq = 1', '', 'journal'],
    ['an event of a newer version', `update journal set data = '{"v":2}' where seq = 2`, '', 'journal'],
    ['a journal cut short', 'delete from journal where seq = 2', '', 'nextSeq'],
  ])('%s', async (_, tamper, path, fact) => {
    const [table] = /(?:update|from) (\w+)/.exec(tamper)!.slice(1);
    const key = table === 'run' ? 'id' : 'run_id';
    await store.pool.query(`${tamper} ${tamper.includes(' where ') ? 'and' : 'where'} ${key} = $1`, [
      run.runId,
    ]);
    expect(await check(run)).toContainEqual(expect.objectContaining({ runId: run.runId, path, fact }));
  });

  test('without a list every run is checked, and only the tampered one is named', async () => {
    await store.pool.query("update node_run set tokens = 7 where run_id = $1 and path = 'a'", [run.runId]);
    const { rows } = await store.pool.query('select count(*)::int as n from run');
    const healthy = await DrivenRun.start(store, DOCUMENT);
    await store.pool.query('delete from node_run where run_id <> all ($1) ', [[run.runId, healthy.runId]]);
    await store.pool.query('delete from run where id <> all ($1)', [[run.runId, healthy.runId]]);
    expect(rows[0].n).toBeGreaterThan(2);
    expect(await checkRowsEqualFold(store.pool)).toMatchObject({
      checkedRuns: 2,
      differences: [{ runId: run.runId, path: 'a', fact: 'tokens', row: 7, fold: 0 }],
    });
  });
});

test('a sound schema has no problem; a missing partition and a newer release are told with the way out', async () => {
  expect(await checkSchema(store.url, store.pool)).toEqual([
    { check: 'server' },
    { check: 'migrations' },
    { check: 'partitions' },
  ]);
  const { rows } = await store.pool.query(
    "select to_char((now() at time zone 'utc') + interval '2 months', 'YYYYMM') as month",
  );
  await store.pool.query(`drop table journal_p${rows[0].month}`);
  const [, , partitions] = await checkSchema(store.url, store.pool);
  expect(partitions!.problem).toContain(`journal_p${rows[0].month} are missing. Run "pawl migrate"`);
  await store.pool.query("insert into schema_migration (name) values ('9999-new')");
  expect((await checkSchema(store.url, store.pool))[1]!.problem).toContain('9999-new');
});

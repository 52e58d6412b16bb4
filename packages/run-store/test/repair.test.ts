// Would catch: a repair that leaves a row wrong, undoes what happened, sends an effect again, takes work from a live worker, or
// believes a journal that lost its end.
import type { JsonObject } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkRowsEqualFold, claimNodeRuns, newRunId, type RunRepair, repairRows } from '../src/index.ts';
import { DrivenRun, type DrivenStore, openDrivenStore } from './support/driven-run.ts';

let store: DrivenStore;
beforeAll(async () => {
  store = await openDrivenStore();
});
afterAll(() => store.close());

const DOCUMENT: JsonObject = {
  format: 'pawl/1',
  name: 'repaired',
  nodes: [
    { id: 'a', kind: 'transform', value: 1 },
    { id: 'pay', kind: 'tool', tool: 'x.pay@1', args: {} },
    { id: 'say', kind: 'llm', model: 'sim:writer', prompt: 'Hi' },
    { id: 'end', kind: 'join', join: 'every' },
  ],
  edges: [
    { from: 'a', to: 'pay' },
    { from: 'a', to: 'say' },
    { from: 'pay', to: 'end' },
    { from: 'say', to: 'end' },
  ],
};
const RESERVED = { costNanoUsd: 1_000, tokens: 50, modelCalls: 1 };
const answer = {
  provider: 'sim',
  model: 'writer',
  finishReason: 'stop',
  text: 'x',
  usage: { input: 3, output: 4 },
  costNanoUsd: 10,
  prices: '1',
  totalMs: 1,
};

const intentOf = (run: DrivenRun, path: string, effect: 'model' | 'non_repeatable') => ({
  call: 0,
  effect,
  target: 'x.y@1',
  key: `${run.runId}:${path}:0`,
  request: {},
  requestHash: 'h',
  ...(effect === 'model' && { reserved: RESERVED }),
});

/** A run whose payment is under way and whose model was called; both held by its worker. */
async function aRunUnderWay(): Promise<DrivenRun> {
  const run = await DrivenRun.start(store, DOCUMENT);
  const { workerId } = run;
  await run.succeed('a', 'ok');
  for (const [path, effect] of [
    ['pay', 'non_repeatable'],
    ['say', 'model'],
  ] as const)
    await run.tell({
      type: 'intent',
      path,
      attempt: await run.claim(path),
      workerId,
      intent: intentOf(run, path, effect),
    });
  return run;
}

/** What is left for the worker of a run under way, and the end of the run. */
async function goOn(run: DrivenRun): Promise<void> {
  const { workerId } = run;
  await run.tell({ type: 'succeeded', path: 'pay', attempt: 1, workerId, output: 'paid' });
  await run.tell({ type: 'succeeded', path: 'say', attempt: 1, workerId, output: 'x', answer, call: 0 });
  await run.succeed('end', 'joined');
  await run.tell({ type: 'runEnded', output: 'all' });
}

const execute = (run: DrivenRun, statement: string) => store.pool.query(statement, [run.runId]);

async function repair(run: DrivenRun): Promise<RunRepair | undefined> {
  const found: RunRepair[] = [];
  for await (const one of repairRows(store.pool, [run.runId])) found.push(one);
  return found[0];
}

const differencesOf = async (run: DrivenRun) =>
  (await checkRowsEqualFold(store.pool, [run.runId])).differences;

async function rowOf(run: DrivenRun, path: string) {
  const { rows } = await store.pool.query('select * from node_run where run_id = $1 and path = $2', [
    run.runId,
    path,
  ]);
  return rows[0];
}

async function runRow({ runId }: DrivenRun) {
  const { rows } = await store.pool.query('select * from run where id = $1', [runId]);
  return rows[0];
}

const bellsOf = async ({ runId }: DrivenRun) =>
  (await store.pool.query('select path from outbox where run_id = $1 order by id', [runId])).rows.map(
    ({ path }) => path,
  );

describe('V12: what was damaged in rows is written anew from the journal, and the run ends as if nothing had been', () => {
  test.each([
    ['a status', "update node_run set status = 'failed' where run_id = $1 and path = 'pay'"],
    [
      'a join that was counted too far',
      "update node_run set pending_edges = 3, live_edges = 0 where run_id = $1 and path = 'pay'",
    ],
    ['a counter of the run', 'update run set open_count = 9, active_count = 0 where id = $1'],
    ['the end of the run', "update run set status = 'succeeded', finished_at = now() where id = $1"],
    [
      'what the run has reserved',
      'update run set reserved_tokens = 9999, reserved_model_calls = 0 where id = $1',
    ],
    [
      'what a node run has reserved',
      "update node_run set reserved = null where run_id = $1 and path = 'say'",
    ],
    ['what was spent', "update run set spent_tokens = 5, budget_limits = '{}' where id = $1"],
    ['a place in the journal', "update node_run set output_seq = 1 where run_id = $1 and path = 'say'"],
    ['a failure of the run', `update run set failure = '{"code":"x"}' where id = $1`],
    ['an intent', "update node_run set intent_seq = null, effect = null where run_id = $1 and path = 'pay'"],
    ['a row of its beginning', "delete from node_run where run_id = $1 and path = 'a'"],
    ['a number that is too low', 'update run set next_seq = next_seq - 1 where id = $1'],
    [
      'a node run that there never was',
      `insert into node_run (run_id, path, node_id, kind, status, attempt, pending_edges, live_edges, status_at)
       values ($1, 'end', 'end', 'join', 'ready', 0, 0, 0, now())`,
    ],
  ])('%s', async (_, damage) => {
    const run = await aRunUnderWay();
    const before = await runRow(run);
    await execute(run, damage);
    const damaged = await differencesOf(run);
    expect(damaged.length).toBeGreaterThan(0);
    expect(await repair(run)).toEqual({
      runId: run.runId,
      differences: damaged,
      lost: [],
      rung: expect.any(Array),
    });
    expect(await differencesOf(run)).toEqual([]);
    expect(await runRow(run)).toEqual({ ...before, status_at: expect.any(Date) });
    expect(await repair(run)).toBeUndefined();
    await goOn(run);
    expect(await differencesOf(run)).toEqual([]);
    expect(await runRow(run)).toMatchObject({ status: 'succeeded', spent_tokens: '7', reserved_tokens: '0' });
  });
});

test('V5: a payment that is under way, held by nobody that can be found, becomes a doubt and is not sent again', async () => {
  const run = await aRunUnderWay();
  await execute(run, "delete from node_run where run_id = $1 and path = 'pay'");
  expect(await repair(run)).toMatchObject({ lost: ['pay'], rung: [] });
  expect(await rowOf(run, 'pay')).toMatchObject({ status: 'uncertain', effect: 'non_repeatable' });
  const { rows } = await store.pool.query(
    "select data from journal where run_id = $1 and type = 'attempt.lost'",
    [run.runId],
  );
  expect(rows).toMatchObject([{ data: { workerId: run.workerId, next: 'uncertain' } }]);
  const { workerId } = run;
  const late = await store.hot.commit({
    runId: run.runId,
    graph: run.graph,
    facts: [{ type: 'succeeded', path: 'pay', attempt: 1, workerId, output: 'paid' }],
  });
  expect(late.verdicts).toEqual(['late']);
  await run.tell({ type: 'settle', path: 'pay', verdict: 'happened', output: 'paid', by: 'local' });
  expect(await differencesOf(run)).toEqual([]);
});

test('T10: a model call that nobody holds is made again with a doorbell, and its reservation is spent', async () => {
  const run = await aRunUnderWay();
  await execute(
    run,
    "update node_run set status = 'skipped', worker_id = null where run_id = $1 and path = 'say'",
  );
  await execute(run, 'delete from outbox where run_id = $1');
  expect(await repair(run)).toMatchObject({ lost: ['say'], rung: ['say'] });
  expect(await bellsOf(run)).toEqual(['say']);
  expect(await rowOf(run, 'say')).toMatchObject({ status: 'ready', reserved: null });
  expect(await runRow(run)).toMatchObject({ spent_tokens: '50', reserved_tokens: '0' });
});

test('T6: what was taken up and left no trace, by a worker that nobody knows, is to be done again', async () => {
  const run = await DrivenRun.start(store, DOCUMENT);
  await run.claim('a');
  await execute(run, 'update node_run set worker_id = gen_random_uuid() where run_id = $1');
  expect(await repair(run)).toMatchObject({ lost: [], rung: ['a'], differences: [{ fact: 'holder' }] });
  expect(await rowOf(run, 'a')).toMatchObject({ status: 'ready', attempt: 1, worker_id: null });
  await run.succeed('a', 'ok');
  expect(await differencesOf(run)).toEqual([]);
});

test('E9: what was taken up in a run that stops is not called ready, which nobody would take up: the run ends', async () => {
  const run = await DrivenRun.start(store, DOCUMENT);
  await run.claim('a');
  await run.tell({ type: 'cancel', by: 'ada' });
  await execute(run, "delete from node_run where run_id = $1 and path = 'a'");
  expect(await repair(run)).toMatchObject({ lost: ['a'], rung: [] });
  expect(await runRow(run)).toMatchObject({ status: 'cancelled', active_count: 0 });
});

test('F4: what follows from a repair is said to the run above, which goes on', async () => {
  const outer = await DrivenRun.start(store, {
    format: 'pawl/1',
    name: 'nested',
    nodes: [{ id: 'f', kind: 'flow', flow: 'nested@self' }],
    edges: [],
  });
  const { workerId, graph } = outer;
  const runId = newRunId();
  const { version_id: versionId } = await runRow(outer);
  const started = { flow: 'nested', versionId, runId, graph, input: null, budget: {} };
  await outer.tell({
    type: 'startsFlow',
    path: 'f',
    attempt: await outer.claim('f'),
    workerId,
    ...started,
  });
  await claimNodeRuns(store.hot.pool, workerId, [{ runId, path: 'f' }], []);
  await store.hot.commit({ runId, graph, facts: [{ type: 'cancel', by: 'ada' }] });
  await store.pool.query('update node_run set worker_id = gen_random_uuid() where run_id = $1', [runId]);
  for await (const { lost } of repairRows(store.pool, [runId])) expect(lost).toEqual(['f']);
  await store.hot.words.tellLate(0);
  expect(await runRow(outer)).toMatchObject({ status: 'failed', failure: { code: 'flow_cancelled' } });
  expect(await differencesOf(outer)).toEqual([]);
});

test('an end that was undone in the rows is there again, at its time', async () => {
  const run = await aRunUnderWay();
  await goOn(run);
  const before = await runRow(run);
  await execute(run, "update run set status = 'running', open_count = 1 where id = $1");
  await execute(run, "update node_run set status = 'ready' where run_id = $1 and path = 'pay'");
  expect(await repair(run)).toMatchObject({ lost: [], rung: [] });
  expect(await runRow(run)).toMatchObject({ status: 'succeeded', finished_at: before.finished_at });
  expect(await rowOf(run, 'pay')).toMatchObject({ status: 'succeeded' });
});

describe('nothing is written where the journal itself is damaged', () => {
  test.each([
    [
      'a lost end',
      'delete from journal where run_id = $1 and seq = 4',
      /ends at event 3, and the run has recorded 4/,
    ],
    [
      'a gap',
      'delete from journal where run_id = $1 and seq = 2',
      /cannot be folded: Journal event 3 follows 1/,
    ],
    [
      'a lost version',
      "update run set version_id = 'gone' where id = $1",
      /Version gone of the run is missing/,
    ],
  ])('%s', async (_, damage, why) => {
    const run = await aRunUnderWay();
    await execute(run, damage);
    await execute(run, 'update run set open_count = 9 where id = $1');
    expect(await repair(run)).toMatchObject({ refused: expect.stringMatching(why), lost: [], rung: [] });
    expect(await runRow(run)).toMatchObject({ open_count: 9 });
  });
});

test('T23 V12: of a poll that is open, rows know more than the journal; one that nobody would ask again is repaired', async () => {
  const run = await aRunUnderWay();
  const { workerId } = run;
  const poll = 'pay/poll-1';
  const accepted = { type: 'accepted', path: 'pay', attempt: 1, workerId, deadlineMs: 3_600_000 } as const;
  await run.tell({ ...accepted, poll: { everyMs: 1_800_000 } });
  await execute(run, `update node_run set wake_at = now() where run_id = $1 and path = '${poll}'`);
  await run.tell({ type: 'timerDue', path: poll });
  expect(await bellsOf(run)).toContain(poll);
  const attempt = await run.claim(poll);
  expect(await differencesOf(run)).toEqual([]);
  const failure = { code: 'http_503', message: 'Later.', class: 'transient' } as const;
  await run.tell({ type: 'failed', path: poll, attempt, workerId, failure, random: 0 });
  expect(await rowOf(run, poll)).toMatchObject({
    status: 'waiting',
    attempt: 1,
    failure: { code: 'http_503' },
  });
  expect(await differencesOf(run)).toEqual([]);
  for (const damage of ['wake_at = null', "status = 'succeeded'"]) {
    await execute(run, `update node_run set ${damage} where run_id = $1 and path = '${poll}'`);
    expect((await differencesOf(run)).map(({ path }) => path)).toContain(poll);
    await repair(run);
    expect(await differencesOf(run)).toEqual([]);
    expect(await rowOf(run, poll)).toMatchObject({ status: 'waiting', wake_at: expect.any(Date) });
  }
  await run.tell({ type: 'callback', path: 'pay', attempt: 1, callback: 'h', random: 0, output: 'paid' });
  expect(await rowOf(run, poll)).toMatchObject({ status: 'cancelled' });
  expect(await differencesOf(run)).toEqual([]);
});

// Catches: an effect that is forgotten with its run, or told differently after it; a receipt that holds payload; retention that takes
// an open run, what others need, or a month that is still made.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeReceipts } from '../src/effects/write-receipts.ts';
import {
  applyRetention,
  collectContent,
  createFlow,
  DEFAULT_WORKSPACE_ID,
  type EffectFilter,
  type EffectSummary,
  ensurePartitions,
  exportEffects,
  getEffect,
  listEffects,
  newRunId,
  offloadValue,
  putArtifact,
  readArtifact,
} from '../src/index.ts';
import {
  addOtherWorkspace,
  OTHER_WORKSPACE_ID,
  openTestStore,
  seedEvent,
  seedRun,
  type TestStore,
} from './support/seed.ts';

const OLD = Date.UTC(2020, 1, 10);
const NOW = new Date('2020-06-15T00:00:00Z');
const workspaceId = DEFAULT_WORKSPACE_ID;

let store: TestStore;
beforeEach(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
  await ensurePartitions(store.pool, { now: new Date(OLD), monthsAhead: 4 });
});
afterEach(() => store.close());

const at = (second: number) => new Date(OLD + second * 1_000 + 0.123);
const list = async (filter: EffectFilter = {}, workspace = workspaceId) =>
  (await listEffects(store.orm, { workspaceId: workspace, limit: 200, ...filter })).items;
const retain = (more: object = {}) => applyRetention(store.pool, { days: 30, ...more }, { now: NOW });

/** A run with a journal, event by event. */
async function aRun(row: Record<string, unknown> = {}, by = 'key:ada') {
  const runId = await seedRun(store.pool, {
    id: newRunId(OLD),
    created_at: new Date(OLD),
    status: 'succeeded',
    ...row,
  });
  let seq = 1;
  const event = async (second: number, type: string, path: string, data: object, attempt = 1) => {
    await seedEvent(store.pool, runId, { seq, type, path, attempt, at: at(second), data: { v: 1, ...data } });
    seq += 1;
    return seq - 1;
  };
  await event(0, 'run.admitted', '', { versionId: 'v1', by, input: { secret: 'payload' } });
  const sends = (second: number, path: string, attempt = 1, target = 'pay.charge@1') =>
    event(
      second,
      'intent.recorded',
      path,
      {
        workerId: 'w',
        call: 0,
        effect: target.startsWith('sim') ? 'model' : 'non_repeatable',
        target,
        key: `${runId}:${path}:0`,
        requestHash: 'h',
        request: { card: 'payload' },
      },
      attempt,
    );
  return { runId, event, sends };
}

/** Effects in every state that there is. */
async function aHistory(row: Record<string, unknown> = {}) {
  const run = await aRun(row);
  const { event, sends } = run;
  await sends(1, 'ok');
  await sends(2, 'lost');
  const answer = { costNanoUsd: 5_000, usage: { input: 3, output: 4 } };
  await event(3, 'outcome.succeeded', 'ok', { output: { said: 'payload' }, effectId: 'ch_1', answer });
  await event(3, 'attempt.lost', 'lost', { workerId: 'w', next: 'ready', reason: 'gone' });
  await sends(4, 'lost', 2);
  const failure = { code: 'http_422', message: 'payload', class: 'permanent' };
  await event(5, 'outcome.failed', 'lost', { failure, next: 'stop' }, 2);
  await event(6, 'outcome.late', 'lost', { output: 'payload' });
  await sends(7, 'doubt', 1, 'pay.refund@1');
  await event(8, 'nodeRun.waiting', 'doubt', { status: 'uncertain', reason: 'cut' });
  await event(9, 'inbox.answered', 'doubt', { question: 1, decision: 'happened', by: 'key:bob' });
  await event(9, 'outcome.succeeded', 'doubt', { output: null, settledBy: 'key:bob' });
  await sends(10, 'cut', 1, 'sim:writer');
  await event(11, 'nodeRun.cancelled', 'cut', { reason: 'cancel', doubt: true });
  return run;
}

/** What a receipt does not tell. */
const withoutPayload = ({ failure, ...rest }: EffectSummary) => ({
  ...rest,
  ...(failure && { failure: { code: failure.code, class: failure.class } }),
});

test('what was sent, by whom, under which key and with what outcome is told after the run was dropped, without payloads', async () => {
  const { runId } = await aHistory();
  await aHistory({ workspace_id: OTHER_WORKSPACE_ID, flow_name: 'other' });
  const before = await list();
  expect(before).toHaveLength(5);
  const { dropped, receipts } = await retain();
  expect(dropped).toContain('run_p202002');
  expect(receipts).toBe(10);
  const after = await list();
  expect(after).toEqual(before.map((effect) => ({ ...withoutPayload(effect), receipt: true })));
  const [{ rows }, pages] = await Promise.all([
    store.pool.query('select * from effect_receipt'),
    Promise.all([1, 2, 3].map((limit) => list({ limit }))),
  ]);
  expect(JSON.stringify(rows)).not.toContain('payload');
  expect(pages.map((items) => items.length)).toEqual([1, 2, 3]);
  const filters: EffectFilter[] = [
    { target: 'pay.*' },
    { status: ['settled'] },
    { status: ['late'] },
    { by: 'key:bob' },
    { key: `${runId}:lost:0` },
    { effect: 'model' },
    { runId, after: at(4).toISOString() },
    { flow: 'triage' },
  ];
  for (const filter of filters) {
    const wanted = before.filter(({ id }) => after.some((each) => each.id === id));
    const found = (await list(filter)).map(({ id }) => id);
    expect(found.length, JSON.stringify(filter)).toBeGreaterThan(0);
    expect(wanted.map(({ id }) => id)).toEqual(expect.arrayContaining(found));
  }
  expect(await list({ flow: 'other' })).toEqual([]);
  expect(await list({ flow: 'other' }, OTHER_WORKSPACE_ID)).toHaveLength(5);
  const exported: EffectSummary[] = [];
  for await (const effect of exportEffects(store.orm, { workspaceId, withRequest: true }))
    exported.push(effect);
  expect(exported).toEqual(after);
  const hash = createHash('sha256').update('{"said":"payload"}').digest('hex');
  expect(await getEffect(store.orm, { workspaceId, runId, seq: 2 })).toMatchObject({
    status: 'succeeded',
    effectId: 'ch_1',
    outputHash: hash,
    receipt: true,
  });
  expect(await getEffect(store.orm, { workspaceId: OTHER_WORKSPACE_ID, runId, seq: 2 })).toBeUndefined();
});

test('a process that dies between receipts and drop leaves no effect told twice, and the next one goes on', async () => {
  await aHistory();
  const before = (await list()).map(({ id }) => id);
  // In pages of one, so that effects of one node run meet their ends over several.
  expect(await writeReceipts(store.pool, 'journal_p202002', { batch: 1 })).toBe(5);
  expect((await list()).map(({ id }) => id)).toEqual(before);
  expect((await list()).some((effect) => effect.receipt)).toBe(false);
  await store.pool.query('drop table run_p202002');
  const told = (await list()).map(({ id, status }) => [id, status]);
  expect(told.map(([id]) => id)).toEqual(before);
  expect((await retain()).dropped).toContain('journal_p202002');
  expect((await list()).map(({ id, status }) => [id, status])).toEqual(told);
});

test('a month with an open run stays whole and is named; the others of its age go', async () => {
  const done = await aHistory();
  const march = Date.UTC(2020, 2, 5);
  const open = await seedRun(store.pool, {
    id: newRunId(march),
    created_at: new Date(march),
    status: 'waiting',
  });
  const { dropped, kept } = await retain();
  expect(kept).toEqual([{ month: '202003', openRuns: 1 }]);
  expect(dropped).toEqual(expect.arrayContaining(['run_p202001', 'run_p202002', 'run_p202004']));
  const { rows } = await store.pool.query('select id from run where id = any ($1)', [[done.runId, open]]);
  expect(rows).toEqual([{ id: open }]);
});

describe('what others need stays', () => {
  test('the current month and the one before, however short the retention', async () => {
    const { dropped } = await applyRetention(store.pool, { days: 1 }, { now: NOW });
    expect(dropped).toContain('run_p202004');
    expect(dropped.filter((name) => /p20200[56]/.test(name))).toEqual([]);
    expect(await ensurePartitions(store.pool, { now: NOW, monthsAhead: 0 })).toEqual([]);
  });

  test('artifacts; values that only dropped journals held are collected', async () => {
    const { runId } = await aRun();
    const young = await seedRun(store.pool, { id: newRunId() });
    const value = JSON.stringify('v'.repeat(300_000));
    const shared = JSON.stringify('s'.repeat(300_000));
    await offloadValue(store.pool, runId, value);
    await offloadValue(store.pool, runId, shared);
    await offloadValue(store.pool, young, shared);
    const { artifact } = await putArtifact(store.pool, {
      workspaceId,
      from: { runId, path: 'a', attempt: 1 },
      name: 'report',
      mediaType: 'text/plain',
      content: 'kept',
    });
    await retain();
    expect(await collectContent(store.pool, { graceMs: -1 })).toMatchObject({ contents: 1 });
    const chunks: Buffer[] = [];
    for await (const chunk of (await readArtifact(store.pool, { workspaceId, artifactId: artifact.id }))!)
      chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('kept');
    const { rows } = await store.pool.query('select run_id from held_value');
    expect(rows).toEqual([{ run_id: young }]);
  });

  test('a table that somebody holds all the time is left for the next time, and nobody waits for long', async () => {
    await aHistory();
    const client = await store.pool.connect();
    try {
      await client.query('begin; select count(*) from run');
      const { dropped, busy } = await retain();
      expect(dropped).toEqual([]);
      expect(busy).toBe('202001');
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect((await retain()).dropped).toContain('run_p202002');
    expect(await list()).toHaveLength(5);
  });
});

test('receipts are forgotten when they are older than is asked for', async () => {
  await aHistory();
  await retain({ receiptDays: 200 });
  expect(await list()).toHaveLength(5);
  await retain({ receiptDays: 100 });
  expect(await list()).toEqual([]);
});

test('Y1: what test runs ran goes once every run is younger, published versions never', async () => {
  await createFlow(store.orm, { workspaceId, flow: 'triage', document: { name: 'triage' } });
  const version = (id: string, number: number | null, created: Date) =>
    store.pool.query(
      `insert into flow_version (workspace_id, id, flow_id, number, document, created_at)
       select $1, $2, f.id, $3, '{}', $4 from flow f where f.name = 'triage'`,
      [workspaceId, id, number, created],
    );
  const DAY_MS = 86_400_000;
  const young = NOW.getTime() - 5 * DAY_MS;
  await version('published', 1, new Date(OLD));
  await version('old test', null, new Date(OLD));
  await version('test of a run that is there', null, new Date(young - 1));
  await aRun({ version_id: 'old test', mode: 'test' });
  await seedRun(store.pool, { id: newRunId(young), created_at: new Date(young), mode: 'test' });
  const kept = async () =>
    (await store.pool.query('select id from flow_version order by id')).rows.map(({ id }) => id);
  await applyRetention(store.pool, { days: 400 }, { now: NOW });
  expect(await kept()).toHaveLength(3);
  await retain();
  expect(await kept()).toEqual(['published', 'test of a run that is there']);
});

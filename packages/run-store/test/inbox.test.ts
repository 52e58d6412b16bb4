// Catches: a question shown to the wrong workspace, a page that skips or repeats one, an id that reaches the database as it came.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseQuestionId, questionId } from '../src/inbox/question-id.ts';
import {
  countInbox,
  DEFAULT_WORKSPACE_ID,
  getQuestion,
  type InboxFilter,
  listInbox,
  newId,
  newRunId,
} from '../src/index.ts';
import {
  addOtherWorkspace,
  OTHER_WORKSPACE_ID,
  openTestStore,
  seedEvent,
  seedNodeRun,
  seedRun,
  type TestStore,
} from './support/seed.ts';

let store: TestStore;
const workspaceId = DEFAULT_WORKSPACE_ID;
beforeAll(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
});
afterAll(() => store.close());

/** A worker of long ago, which nobody remembers. */
const WORKER = newId();
const failure = { code: 'http_503', message: 'Not now.', class: 'transient' };
const asking = {
  approval: {
    row: { status: 'waiting', reason: 'approval' },
    event: {
      type: 'inbox.asked',
      data: { v: 1, kind: 'tool', subject: 'May \u0000it?', shown: 'h', wakeAt: 5, deadlineValues: 1 },
    },
  },
  uncertain: {
    row: { status: 'uncertain', reason: 'died', intent_seq: 2 },
    event: { type: 'attempt.lost', data: { v: 1, workerId: WORKER, next: 'uncertain', reason: 'died' } },
  },
  failure: {
    row: { status: 'waiting', reason: 'failure' },
    event: { type: 'outcome.failed', data: { v: 1, failure, next: 'pause' } },
  },
};

/** A run with one open question at seq 3. */
async function seedQuestion(
  kind: keyof typeof asking,
  statusAt: string,
  run: Record<string, unknown> = {},
): Promise<string> {
  const runId = await seedRun(store.pool, { status: 'waiting', flow_name: 'asks', ...run });
  const { row, event } = asking[kind];
  await seedNodeRun(store.pool, runId, { path: 'n', ...row, status_at: statusAt, more: { question: 3 } });
  const intent = {
    v: 1,
    call: 0,
    effect: 'non_repeatable',
    target: 'mail.send@1',
    key: 'k',
    request: { to: 'a' },
    requestHash: 'h',
  };
  await seedEvent(store.pool, runId, {
    seq: 2,
    type: 'intent.recorded',
    path: 'n',
    attempt: 1,
    data: intent,
  });
  await seedEvent(store.pool, runId, { seq: 3, path: 'n', attempt: 1, ...event });
  return runId;
}

describe('listInbox', () => {
  let ids: string[];
  beforeAll(async () => {
    ids = [
      await seedQuestion('uncertain', '2026-01-01T00:00:00.000002Z'),
      await seedQuestion('approval', '2026-01-01T00:00:00.000001Z'),
      await seedQuestion('failure', '2026-01-01T00:00:00.000003Z', { flow_name: 'other' }),
    ];
    await seedQuestion('approval', '2026-01-01T00:00:00Z', { workspace_id: OTHER_WORKSPACE_ID });
    const quiet = await seedRun(store.pool, { status: 'waiting' });
    await seedNodeRun(store.pool, quiet, {
      path: 'n',
      status: 'waiting',
      reason: 'timer',
      wake_at: new Date(),
    });
  });
  const list = async (filter: InboxFilter = {}) =>
    (await listInbox(store.orm, workspaceId, filter)).items.map(({ question }) => question);
  const named = (...places: number[]) => places.map((place) => questionId(ids[place]!, 3));

  test('oldest first to the microsecond, of this workspace only, and only what waits for a person', async () => {
    expect(await list()).toEqual(named(1, 0, 2));
    expect((await listInbox(store.orm, OTHER_WORKSPACE_ID)).items).toHaveLength(1);
  });

  test('each filter narrows', async () => {
    expect(await list({ kind: ['approval', 'failure'] })).toEqual(named(1, 2));
    expect(await list({ flow: 'other' })).toEqual(named(2));
    expect(await list({ runId: ids[0]!.toUpperCase() })).toEqual(named(0));
    expect(await list({ kind: ['approval'], flow: 'other' })).toEqual([]);
  });

  test('counts what it lists', async () => {
    expect(await countInbox(store.orm, workspaceId)).toEqual({ count: 3, hasMore: false });
    expect(await countInbox(store.orm, workspaceId, { kind: ['approval'] })).toEqual({
      count: 1,
      hasMore: false,
    });
    expect(await countInbox(store.orm, OTHER_WORKSPACE_ID)).toEqual({ count: 1, hasMore: false });
  });

  test('for who asks: all but approvals that are for others, whatever characters are in them', async () => {
    const flow = 'for-somebody';
    const asks = async (data: object, second: number) => {
      const at = `2026-01-02T00:00:0${second}Z`;
      const runId = await seedQuestion('failure', at, { flow_name: flow });
      await store.pool.query("update node_run set reason = 'approval' where run_id = $1", [runId]);
      await store.pool.query('update journal set type = $2, data = $3 where run_id = $1 and seq = 3', [
        runId,
        'inbox.asked',
        JSON.stringify({ v: 1, kind: 'approval', shown: 'h', ...data }),
      ]);
      return questionId(runId, 3);
    };
    const forAll = await asks({ subject: 'Anybody?' }, 1);
    const forAda = await asks({ subject: 'Ada?', who: ['user:ada'] }, 2);
    const forBob = await asks({ subject: 'Bob?', who: ['bob'] }, 3);
    const oddForAda = await asks({ subject: '\u0000?', who: ['user:ada'] }, 4);
    const oddForAll = await asks({ subject: '\u0000?' }, 5);
    const doubt = questionId(await seedQuestion('uncertain', '2026-01-02T00:00:06Z', { flow_name: flow }), 3);
    expect(await list({ flow, by: 'user:ada' })).toEqual([forAll, forAda, oddForAda, oddForAll, doubt]);
    expect(await list({ flow, by: 'key:bob' })).toEqual([forAll, forBob, oddForAll, doubt]);
    expect(await list({ flow, by: 'local' })).toHaveLength(6);
    expect(await countInbox(store.orm, workspaceId, { flow, by: 'user:ada' })).toEqual({
      count: 5,
      hasMore: false,
    });
    await store.pool.query(
      "update node_run set status = 'succeeded' where run_id in (select id from run where flow_name = $1)",
      [flow],
    );
  });

  test('page by page, nothing is skipped or told twice', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listInbox(store.orm, workspaceId, {
        limit: 1,
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...page.items.map(({ question }) => question));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(named(1, 0, 2));
  });

  test.each([
    'x',
    'bm90',
    Buffer.from('["a",1,2]').toString('base64url'),
    Buffer.from('["2026","x","\\u0000"]').toString('base64url'),
  ])('the cursor %s is none of ours', async (cursor) => {
    await expect(listInbox(store.orm, workspaceId, { cursor })).rejects.toMatchObject({
      code: 'cursor_invalid',
    });
  });

  test('each says what may be decided and on what evidence', async () => {
    const [approval, uncertain, failed] = (await listInbox(store.orm, workspaceId)).items;
    expect(approval).toMatchObject({
      kind: 'approval',
      asks: 'tool',
      subject: 'May \u0000it?',
      until: '1970-01-01T00:00:00.005Z',
    });
    expect(approval).not.toHaveProperty('deadlineValues');
    expect(uncertain).toMatchObject({
      kind: 'uncertain',
      subject: 'mail.send@1 may have happened: n',
      doubt: { reason: 'died', workerId: WORKER, attempt: 1 },
      effect: { target: 'mail.send@1', key: 'k', request: { to: 'a' } },
    });
    expect(failed).toMatchObject({ kind: 'failure', subject: 'Not now.', failure });
  });

  test('without values it says the same but for what was to be sent', async () => {
    const whole = (await listInbox(store.orm, workspaceId)).items;
    const { items } = await listInbox(store.orm, workspaceId, { values: 'none' });
    expect(items.every(({ effect }) => effect === undefined || !('request' in effect))).toBe(true);
    expect(items.filter(({ effect }) => effect)).not.toEqual([]);
    const strip = ({ effect, ...item }: (typeof whole)[number]) => {
      const { request: _, ...sent } = effect ?? {};
      return { ...item, ...(effect && { effect: sent }) };
    };
    expect(items).toEqual(whole.map(strip));
  });
});

describe('T9, J10: what may be decided about a doubt', () => {
  /** A worker of another host that was to send, as the database knows it. */
  async function doubtOf(worker: Record<string, unknown>, intent: object = {}) {
    const id = newId();
    const row = { host: 'far b p', pid: 7, process_started: '1', lock_key: '42', ...worker, id };
    const names = Object.keys(row);
    await store.pool.query(
      `insert into worker (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(row),
    );
    const runId = await seedRun(store.pool, { status: 'waiting' });
    const more = { question: 3 };
    await seedNodeRun(store.pool, runId, {
      path: 'n',
      kind: 'tool',
      status: 'uncertain',
      intent_seq: 2,
      more,
    });
    const tell = (seq: number, type: string, data: object) =>
      seedEvent(store.pool, runId, { seq, type, path: 'n', attempt: 1, data: { v: 1, ...data } });
    await tell(2, 'intent.recorded', { workerId: id, request: null, ...intent });
    await tell(3, 'attempt.lost', { workerId: id, next: 'uncertain', reason: 'gone' });
    const question = questionId(runId, 3);
    const [one, listed] = await Promise.all([
      getQuestion(store.orm, { workspaceId, question }),
      listInbox(store.orm, workspaceId, { runId }),
    ]);
    const { state: _, ...item } = one!;
    expect(listed.items, 'the list says the same').toEqual([item]);
    return { id, tell, again: () => getQuestion(store.orm, { workspaceId, question }), ...one! };
  }
  const past = new Date(Date.now() - 60_000);
  const soon = new Date(Date.now() + 60_000);
  const ALL = ['happened', 'did_not_happen', 'compensate', 'skip', 'fail'];
  const undoable = { compensates: true };

  test('everything, once its worker was stopped, its lease is over and its session gone', async () => {
    const found = await doubtOf({ stopped_at: past, lease_until: past }, undoable);
    expect(found.decisions).toEqual(ALL);
    expect(found.doubt).not.toHaveProperty('mayStillSend');
  });

  test.each([
    ['its lease is not over', { stopped_at: past, lease_until: soon }, { until: soon.toISOString() }],
    ['it was not declared dead', { lease_until: past }, { hint: expect.stringContaining('It lives') }],
  ])('not that it did not happen, nor its undoing, while %s', async (_, worker, why) => {
    const found = await doubtOf(worker, undoable);
    expect(found.decisions).toEqual(['happened', 'skip', 'fail']);
    expect(found.doubt?.mayStillSend).toEqual({ workerId: found.id, hint: expect.any(String), ...why });
  });

  test('nor while its session is there: it may be stopped by a signal, right before it sends', async () => {
    const client = await store.pool.connect();
    await client.query('select pg_advisory_lock(43)');
    const found = await doubtOf({ stopped_at: past, lease_until: past, lock_key: '43' });
    expect(found.decisions).toEqual(['happened', 'skip', 'fail']);
    expect(found.doubt?.mayStillSend?.hint).toContain('end process 7 on far');
    await client.query('select pg_advisory_unlock(43)');
    client.release();
    expect((await found.again())!.decisions).toContain('did_not_happen');
  });

  test('its late answer ends it, and can be adopted when it tells what happened', async () => {
    const { tell, again } = await doubtOf({ lease_until: soon });
    await tell(4, 'outcome.late', { failure, ambiguous: true });
    expect(await again()).toMatchObject({
      decisions: ['happened', 'did_not_happen', 'skip', 'fail'],
      late: { attempt: 1, failure, ambiguous: true },
    });
    await tell(5, 'outcome.late', { output: { id: 7 } });
    expect(await again()).toMatchObject({
      decisions: ['happened', 'did_not_happen', 'adopt', 'skip', 'fail'],
      late: { attempt: 1, output: { id: 7 } },
    });
  });
});

describe('getQuestion', () => {
  test('tells open, answered and closed ones apart', async () => {
    const runId = await seedQuestion('approval', '2026-01-02T00:00:00Z');
    const question = questionId(runId, 3);
    const get = () => getQuestion(store.orm, { workspaceId, question });
    expect(await get()).toMatchObject({ state: 'open', question });
    await store.pool.query(`update node_run set status = 'cancelled', more = null where run_id = $1`, [
      runId,
    ]);
    expect(await get()).toMatchObject({ state: 'closed' });
    const answered = { v: 1, question: 3, decision: 'approved', by: 'key:ada', values: { n: 1 } };
    await seedEvent(store.pool, runId, {
      seq: 4,
      type: 'inbox.answered',
      path: 'n',
      attempt: 1,
      data: answered,
    });
    expect(await get()).toMatchObject({
      state: 'answered',
      answer: { decision: 'approved', by: 'key:ada', values: { n: 1 } },
    });
    const foreign = { workspaceId: OTHER_WORKSPACE_ID, question };
    expect(await getQuestion(store.orm, foreign), 'V14').toBeUndefined();
  });

  test('an event that asks nobody names no question', async () => {
    const runId = await seedQuestion('uncertain', '2026-01-02T00:00:00Z');
    for (const seq of [2, 9])
      expect(await getQuestion(store.orm, { workspaceId, question: questionId(runId, seq) })).toBeUndefined();
  });

  test.each([
    '',
    'x',
    `${newRunId()}`,
    `${newRunId()}.`,
    `${newRunId()}.0`,
    `${newRunId()}.1.2`,
    `${newRunId()}.99999999999`,
  ])('the id %s names nothing', (text) => {
    expect(parseQuestionId(text)).toBeUndefined();
  });
});

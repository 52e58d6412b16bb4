// Catches: an effect that the log leaves out, shows twice, or tells wrongly; one that another workspace can see.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  DEFAULT_WORKSPACE_ID,
  type EffectFilter,
  exportEffects,
  getEffect,
  listEffects,
  newRunId,
  offloadValue,
} from '../src/index.ts';
import {
  addOtherWorkspace,
  OTHER_WORKSPACE_ID,
  openTestStore,
  seedEvent,
  seedRun,
  type TestStore,
} from './support/seed.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
  await addOtherWorkspace(store.pool);
});
afterAll(() => store.close());
beforeEach(async () => {
  for (const table of ['run', 'journal', 'effect_receipt'])
    await store.pool.query(`truncate ${table} cascade`);
});

const workspaceId = DEFAULT_WORKSPACE_ID;
const list = (filter: EffectFilter = {}, workspace = workspaceId) =>
  listEffects(store.orm, { workspaceId: workspace, ...filter });
const ids = async (filter: EffectFilter = {}, workspace = workspaceId) =>
  (await list(filter, workspace)).items.map(({ id }) => id);
/** Every page of a list, one after the other. */
async function allPages(filter: EffectFilter): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...filter, ...(cursor !== undefined && { cursor }) });
    found.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

const BASE = Date.UTC(2026, 5, 1);
const at = (second: number) => new Date(BASE + second * 1_000);

/** A journal that grows event by event, at the second it is told. */
class Journal {
  #seq = 1;
  readonly runId: string;
  constructor(runId: string) {
    this.runId = runId;
  }

  async event(second: number, type: string, path: string, attempt: number, data: object): Promise<number> {
    this.#seq += 1;
    await seedEvent(store.pool, this.runId, {
      seq: this.#seq,
      type,
      path,
      attempt,
      at: at(second),
      data: { v: 1, ...data },
    });
    return this.#seq;
  }

  async sends(
    second: number,
    {
      path = 'pay',
      attempt = 1,
      target = 'pay.charge@1',
      effect = 'non_repeatable',
      request = { n: 1 } as unknown,
    } = {},
  ) {
    const known = {
      workerId: 'w',
      call: 0,
      effect,
      target,
      key: `${this.runId}:${path}:0`,
      requestHash: 'h',
    };
    return `${this.runId}/${await this.event(second, 'intent.recorded', path, attempt, { ...known, request })}`;
  }
}

async function aRun(row: Record<string, unknown> = {}, by?: string): Promise<Journal> {
  const runId = await seedRun(store.pool, { id: newRunId(BASE), ...row });
  const data = { v: 1, versionId: 'v1', ...(by !== undefined && { by }), input: { '"by":"': 'nobody' } };
  await seedEvent(store.pool, runId, { seq: 1, type: 'run.admitted', data });
  return new Journal(runId);
}

test('an effect tells what was sent, when, by whom, and what became of it', async () => {
  const journal = await aRun({ flow_name: 'checkout', version_id: 'v9' }, 'key:"ada"\u00e9');
  const id = await journal.sends(1, { request: { amount: 5, '"target":"x"': '\u0000' } });
  const answer = { costNanoUsd: 2_000_000, usage: { input: 3, output: 4 } };
  await journal.event(2, 'outcome.succeeded', 'pay', 1, { output: { ok: true }, effectId: 'ch_1', answer });
  const seq = 2;
  const summary = {
    id,
    runId: journal.runId,
    seq,
    flow: 'checkout',
    version: 'v9',
    path: 'pay',
    attempt: 1,
    call: 0,
    effect: 'non_repeatable',
    target: 'pay.charge@1',
    key: `${journal.runId}:pay:0`,
    requestHash: 'h',
    workerId: 'w',
    at: at(1).toISOString(),
    status: 'succeeded',
    endedAt: at(2).toISOString(),
    effectId: 'ch_1',
    costUsd: 0.002,
    tokens: 7,
    startedBy: 'key:"ada"\u00e9',
  };
  expect(await list()).toEqual({ items: [summary] });
  const detail = { ...summary, request: { amount: 5, '"target":"x"': '\u0000' }, output: { ok: true } };
  expect(await getEffect(store.orm, { workspaceId, runId: journal.runId.toUpperCase(), seq })).toEqual(
    detail,
  );
});

test('payloads that lie outside the journal, and answers that came too late, are part of the detail', async () => {
  const journal = await aRun();
  const outputRef = await offloadValue(store.pool, journal.runId, JSON.stringify('o'.repeat(300_000)));
  await journal.sends(1);
  await journal.event(2, 'attempt.lost', 'pay', 1, { workerId: 'w', next: 'ready', reason: 'gone' });
  await journal.sends(3, { attempt: 2 });
  await journal.event(4, 'outcome.succeeded', 'pay', 2, { outputRef });
  await journal.event(5, 'outcome.late', 'pay', 1, { output: 'late' });
  const [second, first] = (await list()).items;
  expect([first, second]).toMatchObject([
    { status: 'late', lateAt: at(5).toISOString() },
    { status: 'succeeded' },
  ]);
  expect(await getEffect(store.orm, { workspaceId, ...first! })).toMatchObject({ late: { output: 'late' } });
  expect((await getEffect(store.orm, { workspaceId, ...second! }))!.output).toBe('o'.repeat(300_000));
});

test('V14: effects of another workspace are neither listed nor told, whatever is asked for', async () => {
  const journal = await aRun({ workspace_id: OTHER_WORKSPACE_ID });
  const id = await journal.sends(1);
  const key = `${journal.runId}:pay:0`;
  for (const filter of [
    {},
    { runId: journal.runId },
    { key },
    { target: 'pay.charge@1' },
    { status: ['sent'] as const },
  ]) {
    expect(await list(filter)).toEqual({ items: [] });
    expect(await ids(filter, OTHER_WORKSPACE_ID)).toEqual([id]);
  }
  expect(await getEffect(store.orm, { workspaceId, runId: journal.runId, seq: 2 })).toBeUndefined();
  expect(
    await getEffect(store.orm, { workspaceId: OTHER_WORKSPACE_ID, runId: journal.runId, seq: 2 }),
  ).toBeDefined();
  // Neither does an event that is no intent, nor an id or a place that none can have.
  for (const ref of [
    { runId: journal.runId, seq: 1 },
    { runId: 'x', seq: 2 },
    { runId: journal.runId, seq: 2 ** 40 },
  ])
    expect(await getEffect(store.orm, { workspaceId: OTHER_WORKSPACE_ID, ...ref })).toBeUndefined();
});

describe('filters', () => {
  let ada: Journal;
  let bob: Journal;
  let sent: Record<'charge' | 'mail' | 'model' | 'doubt', string>;
  beforeEach(async () => {
    ada = await aRun({ flow_name: 'checkout' }, 'key:ada');
    bob = await aRun({ flow_name: 'digest' }, 'schedule:night');
    sent = {
      charge: await ada.sends(1),
      mail: await ada.sends(2, { path: 'mail', target: 'mail.send@1' }),
      model: await bob.sends(3, { path: 'write', target: 'sim:writer', effect: 'model' }),
      doubt: await bob.sends(4, { target: 'pay.refund@1' }),
    };
    await ada.event(5, 'outcome.succeeded', 'pay', 1, { output: 1 });
    await bob.event(5, 'nodeRun.waiting', 'pay', 1, { status: 'uncertain', reason: 'cut' });
    await bob.event(6, 'inbox.answered', 'pay', 1, { question: 1, decision: 'happened', by: 'key:ada' });
  });

  test.each([
    ['nothing', () => ({}), ['doubt', 'model', 'mail', 'charge']],
    ['a flow', () => ({ flow: 'digest' }), ['doubt', 'model']],
    ['a run', () => ({ runId: ada.runId }), ['mail', 'charge']],
    ['a target', () => ({ target: 'pay.charge@1' }), ['charge']],
    ['targets', () => ({ target: 'pay.*' }), ['doubt', 'charge']],
    ['a target that looks like a pattern', () => ({ target: 'pay_charge@1' }), []],
    ['a class', () => ({ effect: 'model' }), ['model']],
    ['a key', () => ({ key: `${ada.runId}:mail:0` }), ['mail']],
    ['the beginning of a key', () => ({ key: `${ada.runId}:mail` }), []],
    ['a key that is none', () => ({ key: 'x' }), []],
    ['a status', () => ({ status: ['sent'] }), ['model', 'mail']],
    ['statuses', () => ({ status: ['settled', 'succeeded'] }), ['doubt', 'charge']],
    ['who started', () => ({ by: 'schedule:night' }), ['doubt', 'model']],
    ['who started or settled', () => ({ by: 'key:ada' }), ['doubt', 'mail', 'charge']],
    ['a time', () => ({ after: at(2).toISOString(), before: at(4).toISOString() }), ['model', 'mail']],
    ['several', () => ({ flow: 'checkout', target: '*@1', status: ['succeeded'] }), ['charge']],
  ] as [string, () => EffectFilter, (keyof typeof sent)[]][])('%s', async (_, filter, wanted) => {
    expect(await ids(filter())).toEqual(wanted.map((name) => sent[name]));
  });
});

describe('pages', () => {
  test('every effect comes once and in order, also those of one instant', async () => {
    const journals = await Promise.all([aRun(), aRun(), aRun()]);
    const sent: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const journal = journals[n % 3]!;
      sent.push(await journal.sends(Math.floor(n / 6), { path: `p${n}` }));
    }
    const found = await allPages({ limit: 7 });
    expect([...found].sort()).toEqual([...sent].sort());
    const { items } = await list({ limit: 200 });
    expect(found).toEqual(items.map(({ id }) => id));
    const times = items.map((item) => item.at);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('when few of very many fit, a page ends early with a cursor, and the pages together have all of them', async () => {
    const journal = await aRun();
    await store.pool.query(
      `insert into journal (run_id, seq, type, path, attempt, at, target, data)
       select $1, n + 1, 'intent.recorded', 'p' || n, 1, $2::timestamptz + n * interval '1 second', 't@1',
         ('{"v":1,"call":0,"effect":"idempotent","target":"t@1","key":"k","requestHash":"h","request":' || n || '}')::json
       from generate_series(1, 6000) as n`,
      [journal.runId, at(0)],
    );
    await seedEvent(store.pool, journal.runId, {
      seq: 7_000,
      type: 'outcome.succeeded',
      path: 'p1',
      attempt: 1,
      data: { v: 1 },
    });
    const first = await list({ status: ['succeeded'] });
    expect(first).toEqual({ items: [], nextCursor: expect.any(String) });
    expect(await allPages({ status: ['succeeded'] })).toEqual([`${journal.runId}/2`]);
    expect((await list({ limit: 200 })).items).toHaveLength(200);
  });

  test.each([
    '',
    'x',
    Buffer.from('["2026-01-01","x",1]').toString('base64url'),
    Buffer.from('{}').toString('base64url'),
  ])('the cursor %j is refused', async (cursor) => {
    await expect(list({ cursor })).rejects.toMatchObject({ code: 'cursor_invalid' });
  });
});

test('an export gives every effect as it is asked for, with its arguments when they are wanted', async () => {
  const journal = await aRun();
  for (let n = 0; n < 450; n += 1) await journal.sends(n, { path: `p${n}`, request: { n } });
  const found: unknown[] = [];
  for await (const effect of exportEffects(store.orm, { workspaceId, withRequest: true }))
    found.push(effect.request);
  expect(found).toEqual(Array.from({ length: 450 }, (_, n) => ({ n: 449 - n })));
  for await (const effect of exportEffects(store.orm, { workspaceId })) {
    expect(effect).not.toHaveProperty('request');
    break;
  }
});

test('a list by what was called reads the index of effects, and passes over others inside it', async () => {
  const journal = await aRun();
  await journal.sends(1);
  await store.pool.query('analyze journal');
  const client = await store.pool.connect();
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_sort = off');
    const { rows } = await client.query(
      `explain (format json)
       select j.run_id from journal j join run r on r.id = j.run_id
       where r.workspace_id = $1 and j.target = $2 and j.at >= $3 and j.type = 'intent.recorded'
       order by j.at desc, j.run_id desc, j.seq desc limit 51`,
      [workspaceId, 'pay.charge@1', at(0)],
    );
    // What was called is compared inside the index.
    expect(JSON.stringify(rows)).toMatch(
      /"Index Name":"journal_p\d{6}_at_run_id_seq_target_idx"[^}]*"Index Cond":"[^}]*target = /,
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
});

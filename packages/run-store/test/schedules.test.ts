// Which mistake would this catch? A slot that is run twice, lost or forgotten; a schedule that fires while it is off, or by an old
// rule; two runs at once where the policy forbids it; a refused start that nobody hears of (C35, V14).
import type { Json, JsonObject } from '@pawl/dag-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFrozenDatabase, type FrozenDatabase } from '../../../test/support/frozen-clock.ts';
import {
  backfillSchedule,
  cancelRun,
  changeSchedule,
  createSchedule,
  DEFAULT_WORKSPACE_ID,
  deleteSchedule,
  exportSchedules,
  findSchedulesToLookAt,
  forgetOld,
  getRun,
  getSchedule,
  HotStore,
  importSchedules,
  isStoreError,
  listRuns,
  listSchedules,
  listSlots,
  type NewSchedule,
  nextSlots,
  type Orm,
  openOrm,
  pauseFlow,
  pauseSchedule,
  publishFlow,
  resumeFlow,
  resumeSchedule,
  type StartRequest,
  StoreError,
  startRun,
  tickSchedule,
} from '../src/index.ts';
import { addOtherWorkspace, OTHER_WORKSPACE_ID, openTestPool } from './support/seed.ts';

const workspaceId = DEFAULT_WORKSPACE_ID;
const START = Date.parse('2026-03-02T10:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (ms: number) => new Date(START + ms).toISOString();

let database: FrozenDatabase;
let orm: Orm;
let hot: HotStore;
let other: HotStore;
let pool: ReturnType<typeof openTestPool>;
let troubles: string[];
/** What a start does instead of starting. */
let refuse: ((request: StartRequest) => Error | undefined) | undefined;
let names = 0;

const open = () =>
  HotStore.open({
    url: database.url,
    connections: 4,
    ring: async () => {},
    onError: (error) => troubles.push(error.message),
  });

beforeAll(async () => {
  database = await createFrozenDatabase(at(0));
  orm = await openOrm(database.url);
  pool = openTestPool(database.url);
  troubles = [];
  hot = await open();
  other = await open();
  await addOtherWorkspace(pool);
  const publish = (name: string, input: Json) =>
    publishFlow(orm, {
      workspaceId,
      flow: name,
      document: {
        format: 'pawl/1',
        name,
        input,
        nodes: [{ id: 'a', kind: 'transform', value: 1 }],
        edges: [],
      } as JsonObject,
    });
  await publish('report', {
    type: 'object',
    properties: { day: { type: 'string' }, kind: { type: 'string', default: 'full' } },
    additionalProperties: false,
  });
});
afterAll(async () => {
  await Promise.all([hot.close(), other.close(), orm.close()]);
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  troubles = [];
  refuse = undefined;
  await database.setClock(START);
});

/** A schedule of its own for each test: every hour, unless told otherwise. */
async function aSchedule(more: Partial<NewSchedule> = {}): Promise<{ name: string; id: string }> {
  const { name = `s${++names}` } = more;
  await createSchedule(orm, {
    workspaceId,
    spec: { name, flow: 'report', cron: '0 * * * *', input: { day: '{{ schedule.date }}' }, ...more },
  });
  const { rows } = await pool.query('select id from schedule where name = $1', [name]);
  return { name, id: rows[0].id };
}

const partsOf = (store: HotStore) => ({
  store,
  start: async (request: StartRequest) => {
    const refusal = refuse?.(request);
    if (refusal) throw refusal;
    return startRun(store, request);
  },
  cancel: (request: { workspaceId: string; runId: string; by: string; reason: string }) =>
    cancelRun({ orm, hot: store }, request),
  onTrouble: (error: Error, doing: string) => troubles.push(`${doing}: ${error.message}`),
});
const tick = (id: string, store = hot) => tickSchedule(partsOf(store), id);
const slotsOf = async (name: string) => (await listSlots(orm, { workspaceId, schedule: name })).items;
const statesOf = async (name: string) =>
  (await slotsOf(name)).map(({ slot, state, reason, origin }) => [
    slot,
    state,
    ...(reason ? [reason] : []),
    origin,
  ]);
const get = (name: string) => getSchedule(orm, { workspaceId, schedule: name });
const endRun = (runId: string) => cancelRun({ orm, hot }, { workspaceId, runId, by: 'test' });
const runsOf = async (name: string) =>
  (await listRuns(orm, workspaceId, { tag: { key: 'schedule', value: name }, limit: 200 })).items;

describe('a schedule fires', () => {
  test('C35: at its slot, once, with its input, its tags and how late it was', async () => {
    const { name, id } = await aSchedule({ input: { day: '{{ schedule.date }}' } });
    expect(await get(name)).toMatchObject({ nextSlot: at(HOUR), enabled: true, missedCount: 0 });
    expect(await tick(id)).toMatchObject({ started: 0, skipped: 0 });
    await database.setClock(START + HOUR + 1_234);
    expect(await tick(id)).toMatchObject({ started: 1, lateMs: [1_234] });
    expect(await tick(id)).toMatchObject({ started: 0 });
    const [slot, ...rest] = await slotsOf(name);
    expect(rest).toEqual([]);
    expect(slot).toMatchObject({ slot: at(HOUR), state: 'started', origin: 'scheduled', lateMs: 1_234 });
    // C31: the defaults of the flow are filled in.
    expect(await getRun(orm, { workspaceId, runId: slot!.runId! })).toMatchObject({
      flow: 'report',
      input: { day: '2026-03-02', kind: 'full' },
      tags: { schedule: name, slot: at(HOUR) },
    });
    expect(await get(name)).toMatchObject({
      nextSlot: at(2 * HOUR),
      lastSlot: { slot: at(HOUR), runId: slot!.runId },
    });
  });

  test('C35: two stores that look at once start one run', async () => {
    const { name, id } = await aSchedule({ overlap: 'allow' });
    for (let hour = 1; hour <= 10; hour++) {
      await database.setClock(START + hour * HOUR);
      await Promise.all([tick(id), tick(id, other), tick(id), tick(id, other)]);
    }
    const slots = await slotsOf(name);
    expect(slots).toHaveLength(10);
    expect(new Set(slots.map(({ runId }) => runId)).size).toBe(10);
    expect(await runsOf(name)).toHaveLength(10);
  });

  test('C35: a slot that was written down and not started is started by whoever looks next, under the same id', async () => {
    const { name, id } = await aSchedule();
    await database.setClock(START + HOUR);
    refuse = () => Object.assign(new Error('terminating connection'), { code: '57P01' });
    expect(await tick(id)).toMatchObject({ started: 0, failed: 0 });
    expect(troubles).toHaveLength(1);
    expect(await slotsOf(name)).toMatchObject([{ state: 'starting' }]);
    refuse = undefined;
    expect(await tick(id, other), 'somebody may still be at it').toMatchObject({ started: 0 });
    await database.setClock(START + HOUR + 3_000);
    expect((await findSchedulesToLookAt(hot.pool, 100)).waiting).toContain(id);
    expect(await tick(id, other)).toMatchObject({ started: 1 });
    expect(await slotsOf(name)).toMatchObject([{ state: 'started', lateMs: 3_000 }]);
    expect(await runsOf(name)).toHaveLength(1);
  });

  test('C35: a run that was admitted and not noted down is noted down, long after its dedupe key has run out', async () => {
    const { name, id } = await aSchedule();
    await database.setClock(START + HOUR);
    let runId: string | undefined;
    const parts = partsOf(hot);
    await tickSchedule(
      {
        ...parts,
        start: async (request) => {
          ({ runId } = await startRun(hot, request));
          throw Object.assign(new Error('terminating connection'), { code: '57P01' });
        },
      },
      id,
    );
    await pool.query('delete from dedupe');
    await database.setClock(START + HOUR + 3_000);
    refuse = () => new Error('nothing is to be started');
    await tick(id);
    expect(await slotsOf(name)).toMatchObject([{ state: 'started', runId }]);
    expect(await runsOf(name)).toHaveLength(1);
  });

  test('two that find the same slot left behind start it once', async () => {
    const { name, id } = await aSchedule();
    await database.setClock(START + HOUR);
    refuse = () => Object.assign(new Error('terminating connection'), { code: '57P01' });
    await tick(id);
    refuse = undefined;
    await database.setClock(START + HOUR + 3_000);
    await tick(id);
    // The first was slow, not dead: its own start comes through after all.
    await pool.query("update schedule_slot set state = 'starting', look_at = now() where schedule_id = $1", [
      id,
    ]);
    await Promise.all([tick(id), tick(id, other)]);
    expect(await slotsOf(name)).toMatchObject([{ state: 'started' }]);
    expect(await runsOf(name)).toHaveLength(1);
  });
});

describe('after an outage (Z6)', () => {
  const away = 5 * HOUR + 5 * MINUTE;
  test.each([
    ['none', [], 5],
    ['last', [at(5 * HOUR)], 4],
    ['all', [1, 2, 3, 4, 5].map((hour) => at(hour * HOUR)), 0],
  ] as const)('%s', async (catchUp, run, missedCount) => {
    const { name, id } = await aSchedule({ catchUp, overlap: 'allow' });
    await database.setClock(START + away);
    await tick(id);
    const slots = await slotsOf(name);
    expect(
      slots
        .filter(({ state }) => state === 'started')
        .map(({ slot }) => slot)
        .reverse(),
    ).toEqual(run);
    expect(slots.filter(({ reason }) => reason === 'missed')).toHaveLength(missedCount);
    const schedule = await get(name);
    expect(schedule).toMatchObject({ missedCount, nextSlot: at(6 * HOUR) });
    expect(schedule.lastMissedSlot).toBe(
      missedCount > 0 ? at((catchUp === 'none' ? 5 : 4) * HOUR) : undefined,
    );
  });
});

describe('while an earlier run is open (Z7)', () => {
  test('skip: the slot has no run and says so', async () => {
    const { name, id } = await aSchedule({ overlap: 'skip' });
    await database.setClock(START + HOUR);
    await tick(id);
    await database.setClock(START + 2 * HOUR);
    expect(await tick(id)).toMatchObject({ started: 0, skipped: 1 });
    const [run] = await runsOf(name);
    await endRun(run!.id);
    await database.setClock(START + 3 * HOUR);
    await tick(id);
    expect(await statesOf(name)).toEqual([
      [at(3 * HOUR), 'started', 'scheduled'],
      [at(2 * HOUR), 'skipped', 'overlap', 'scheduled'],
      [at(HOUR), 'started', 'scheduled'],
    ]);
  });

  test('V15: queue: it waits, tells what for, and starts when that has ended', async () => {
    const { name, id } = await aSchedule({ overlap: 'queue' });
    await database.setClock(START + HOUR);
    await tick(id);
    const [first] = await runsOf(name);
    await database.setClock(START + 2 * HOUR);
    expect(await tick(id)).toMatchObject({ started: 0 });
    expect((await slotsOf(name))[0]).toMatchObject({ state: 'queued', reason: 'overlap' });
    const look = await findSchedulesToLookAt(hot.pool, 100);
    expect(look.blockers).toContain(first!.id);
    expect(look.waiting, 'nothing can be done about it').not.toContain(id);
    await database.setClock(START + 3 * HOUR);
    await tick(id);
    expect((await slotsOf(name)).map(({ state }) => state)).toEqual(['queued', 'queued', 'started']);
    await endRun(first!.id);
    expect((await findSchedulesToLookAt(hot.pool, 100)).waiting).toContain(id);
    expect(await tick(id)).toMatchObject({ started: 1 });
    expect((await slotsOf(name)).map(({ state }) => state)).toEqual(['queued', 'started', 'started']);
  });

  test('cancel_other: the others are asked to end, and then it starts', async () => {
    const { name, id } = await aSchedule({ overlap: 'cancel_other' });
    await database.setClock(START + HOUR);
    await tick(id);
    await database.setClock(START + 2 * HOUR);
    const [first] = await runsOf(name);
    expect(await tick(id)).toMatchObject({ started: 0 });
    expect(await getRun(orm, { workspaceId, runId: first!.id })).toMatchObject({ status: 'cancelled' });
    expect(await tick(id)).toMatchObject({ started: 1 });
    expect((await slotsOf(name)).map(({ state }) => state)).toEqual(['started', 'started']);
  });

  test('two stores that look at two slots at once do not start both', async () => {
    for (let round = 0; round < 5; round++) {
      const { name, id } = await aSchedule({ overlap: 'queue', catchUp: 'all' });
      await database.setClock(START + 3 * HOUR + 5 * MINUTE);
      await Promise.all([tick(id), tick(id, other), tick(id), tick(id, other)]);
      expect((await slotsOf(name)).map(({ state }) => state)).toEqual(['queued', 'queued', 'started']);
      await database.setClock(START);
    }
  });
});

describe('a start that is refused', () => {
  test('is recorded with its reason, and the next slot has its chance', async () => {
    const { name, id } = await aSchedule();
    const issue = { code: 'wrong_type', pointer: '/day', message: 'The value must be text' };
    refuse = () => new StoreError('input_invalid', { flow: 'report', issues: [issue] });
    await database.setClock(START + HOUR);
    expect(await tick(id)).toMatchObject({ failed: 1 });
    expect(await slotsOf(name)).toMatchObject([
      { state: 'failed', error: { code: 'input_invalid', issues: [issue] } },
    ]);
    expect(await get(name)).toMatchObject({
      lastError: { code: 'input_invalid', slot: at(HOUR) },
      nextSlot: at(2 * HOUR),
    });
    refuse = undefined;
    await database.setClock(START + 2 * HOUR);
    await tick(id);
    expect((await get(name)).lastError).toBeUndefined();
    expect((await slotsOf(name))[0]).toMatchObject({ state: 'started' });
  });

  test('because its flow is paused is recorded too, and runs again when that is over', async () => {
    const { name, id } = await aSchedule();
    await pauseFlow(orm, { workspaceId, flow: 'report', by: 'test' });
    await database.setClock(START + HOUR);
    await tick(id);
    expect(await slotsOf(name)).toMatchObject([{ state: 'failed', error: { code: 'flow_paused' } }]);
    expect((await get(name)).lastError).toMatchObject({ code: 'flow_paused', slot: at(HOUR) });
    await resumeFlow(orm, { workspaceId, flow: 'report' });
    await database.setClock(START + 2 * HOUR);
    expect(await tick(id)).toMatchObject({ started: 1 });
    const range = { from: at(HOUR), until: at(HOUR) };
    expect(await backfillSchedule(orm, { workspaceId, schedule: name, ...range })).toMatchObject({
      queued: 1,
    });
  });

  test('for want of room is tried again until it is too late', async () => {
    const { name, id } = await aSchedule({ catchUpWindowMs: 0 });
    refuse = () => new StoreError('queue_full', { waiting: 2, limit: 1, retryAfterMs: 5_000 });
    await database.setClock(START + HOUR);
    await tick(id);
    expect(await slotsOf(name)).toMatchObject([{ state: 'queued', error: { code: 'queue_full' } }]);
    expect(await get(name)).toMatchObject({ lastError: { code: 'queue_full', slot: at(HOUR) } });
    expect((await findSchedulesToLookAt(hot.pool, 100)).waiting).not.toContain(id);
    await database.setClock(START + HOUR + 5_000);
    expect((await findSchedulesToLookAt(hot.pool, 100)).waiting).toContain(id);
    await tick(id);
    expect(await slotsOf(name)).toMatchObject([{ state: 'queued' }]);
    await database.setClock(START + 2 * HOUR - 1_000);
    refuse = undefined;
    await tick(id);
    expect(await slotsOf(name)).toMatchObject([{ state: 'started', slot: at(HOUR) }]);
    await endRun((await runsOf(name))[0]!.id);

    refuse = () => new StoreError('queue_full', { waiting: 2, limit: 1, retryAfterMs: 5_000 });
    await pauseSchedule(orm, { workspaceId, schedule: name });
    await database.setClock(START + 5 * HOUR - 1);
    await resumeSchedule(orm, { workspaceId, schedule: name });
    await database.setClock(START + 5 * HOUR);
    await tick(id);
    await database.setClock(START + 6 * HOUR);
    await tick(id);
    expect((await slotsOf(name)).find(({ slot }) => slot === at(5 * HOUR))).toMatchObject({
      state: 'failed',
      error: { code: 'queue_full' },
    });
  });

  test('because of a defect is recorded and not repeated for ever', async () => {
    const { name, id } = await aSchedule();
    refuse = () => new TypeError('x is not a function');
    await database.setClock(START + HOUR);
    await tick(id);
    expect(await slotsOf(name)).toMatchObject([{ state: 'failed', error: { code: 'internal_error' } }]);
    expect(troubles[0]).toContain('x is not a function');
  });
});

describe('off and on', () => {
  test('while it is off no slot comes due, and what waited is not started', async () => {
    const { name, id } = await aSchedule({ overlap: 'queue' });
    await database.setClock(START + HOUR);
    await tick(id);
    await database.setClock(START + 2 * HOUR);
    await tick(id);
    const paused = await pauseSchedule(orm, { workspaceId, schedule: name });
    expect(paused).toMatchObject({ enabled: false });
    expect(paused.nextSlot).toBeUndefined();
    await endRun((await runsOf(name))[0]!.id);
    await database.setClock(START + 4 * HOUR);
    await tick(id);
    expect(await statesOf(name)).toEqual([
      [at(2 * HOUR), 'skipped', 'paused', 'scheduled'],
      [at(HOUR), 'started', 'scheduled'],
    ]);
    await database.setClock(START + 4 * HOUR + MINUTE);
    expect(await resumeSchedule(orm, { workspaceId, schedule: name })).toMatchObject({
      enabled: true,
      nextSlot: at(5 * HOUR),
      missedCount: 0,
    });
  });

  test('a change of the rule counts from now; a change of anything else forgets no slot that is due', async () => {
    const { name, id } = await aSchedule({ jitterMs: 600_000 });
    await database.setClock(START + HOUR + 1);
    const change = (changes: object) => changeSchedule(orm, { workspaceId, schedule: name, changes });
    expect(await change({ jitterMs: 0, input: { day: 'x' } })).toMatchObject({
      nextSlot: at(HOUR),
      jitterMs: 0,
    });
    expect(await tick(id)).toMatchObject({ started: 1 });
    expect(await change({ cron: '30 * * * *' })).toMatchObject({
      nextSlot: at(HOUR + 30 * MINUTE),
      cron: '30 * * * *',
    });
    expect(await change({ timeZone: 'Asia/Kolkata' })).toMatchObject({ nextSlot: at(2 * HOUR) });
  });
});

describe('a backfill', () => {
  const range = (from: number, until: number) => ({ from: at(from), until: at(until) });
  const refusal = async (name: string, from: number, until: number) =>
    backfillSchedule(orm, { workspaceId, schedule: name, ...range(from, until) }).then(
      () => undefined,
      (error: unknown) => isStoreError(error, 'backfill_invalid') && error.values.reason,
    );

  test('runs each slot once: not those of the clock again, and not those of an earlier backfill', async () => {
    const { name, id } = await aSchedule({ overlap: 'allow', catchUp: 'none' });
    await database.setClock(START + HOUR);
    await tick(id);
    await database.setClock(START + 4 * HOUR + 5 * MINUTE);
    await tick(id); // missed: 2, 3 and 4
    const fill = () => backfillSchedule(orm, { workspaceId, schedule: name, ...range(-2 * HOUR, 10 * HOUR) });
    expect(await fill()).toEqual({ slots: 7, queued: 6, alreadyThere: 1 });
    expect(await fill()).toEqual({ slots: 7, queued: 0, alreadyThere: 7 });
    expect((await findSchedulesToLookAt(hot.pool, 100)).waiting).toContain(id);
    await Promise.all([tick(id), tick(id, other)]);
    expect((await slotsOf(name)).map(({ slot, state, origin }) => [slot, state, origin])).toEqual(
      [4, 3, 2, 1, 0, -1, -2].map((hour) => [
        at(hour * HOUR),
        'started',
        hour === 1 ? 'scheduled' : 'backfill',
      ]),
    );
    expect(await fill()).toEqual({ slots: 7, queued: 0, alreadyThere: 7 });
    const runs = await runsOf(name);
    expect(new Set(runs.map(({ tags }) => tags.slot)).size).toBe(7);
    expect(runs).toHaveLength(7);
    expect((await get(name)).lastSlot).toMatchObject({ slot: at(HOUR) });
  });

  test('runs one after the other, also while the schedule is off', async () => {
    const { name, id } = await aSchedule({ overlap: 'skip', enabled: false });
    await backfillSchedule(orm, { workspaceId, schedule: name, ...range(-3 * HOUR, -HOUR) });
    for (let done = 1; done <= 3; done++) {
      await tick(id);
      const open = (await runsOf(name)).filter(({ finishedAt }) => !finishedAt);
      expect(open.map(({ tags }) => tags.slot)).toEqual([at((done - 4) * HOUR)]);
      await endRun(open[0]!.id);
    }
    expect(
      (await slotsOf(name)).every(({ state, lateMs }) => state === 'started' && lateMs === undefined),
    ).toBe(true);
  });

  test('leaves to the clock what is the clock’s: slots that are due and not decided about', async () => {
    const { name, id } = await aSchedule({ catchUp: 'all', overlap: 'allow' });
    await database.setClock(START + 2 * HOUR + 5 * MINUTE);
    expect(
      await backfillSchedule(orm, { workspaceId, schedule: name, ...range(-HOUR, 3 * HOUR) }),
    ).toMatchObject({ slots: 2 });
    await tick(id);
    expect(await statesOf(name)).toEqual([
      [at(2 * HOUR), 'started', 'catch_up'],
      [at(HOUR), 'started', 'catch_up'],
      [at(0), 'started', 'backfill'],
      [at(-HOUR), 'started', 'backfill'],
    ]);
  });

  test('is bounded', async () => {
    const { name } = await aSchedule({ cron: '* * * * *' });
    expect(await refusal(name, -1_001 * MINUTE, 0)).toMatch(/more than 1000 slots/);
    expect(await refusal(name, 0, -HOUR)).toMatch(/ends before it begins/);
    expect(await refusal(name, HOUR, 2 * HOUR)).toMatch(/future/);
    expect(await refusal(name, -367 * 24 * HOUR, -366 * 24 * HOUR)).toMatch(/366 days/);
    expect(await slotsOf(name)).toEqual([]);
  });

  test('what it may name is remembered for longer', async () => {
    const { name, id } = await aSchedule();
    await database.setClock(START + HOUR);
    await tick(id);
    await endRun((await runsOf(name))[0]!.id);
    await tick(id);
    await pool.query(
      "update schedule_slot set decided_at = now() - interval '399 days' where schedule_id = $1",
      [id],
    );
    await forgetOld(hot.pool);
    expect(await slotsOf(name)).toHaveLength(1);
    await pool.query(
      "update schedule_slot set decided_at = now() - interval '401 days' where schedule_id = $1",
      [id],
    );
    await forgetOld(hot.pool);
    expect(await slotsOf(name)).toEqual([]);
  });
});

describe('making and reading', () => {
  const create = (spec: Partial<NewSchedule>) =>
    createSchedule(orm, {
      workspaceId,
      spec: { name: `s${++names}`, flow: 'report', cron: '0 * * * *', ...spec },
    });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => (error as { code: string }).code,
    );

  test('what is wrong is told when it is made, not at night', async () => {
    await expect(
      create({ cron: '61 * * * *', timeZone: 'Nowhere/Land', input: { day: '{{ now }}' } }),
    ).rejects.toMatchObject({
      code: 'schedule_invalid',
      values: { issues: [{ pointer: '/cron' }, { pointer: '/timeZone' }, { pointer: '/input/day' }] },
    });
    await expect(create({ input: { day: 3 } })).rejects.toMatchObject({
      code: 'input_invalid',
      values: { issues: [{ pointer: '/day' }] },
    });
    expect(await codeOf(create({ flow: 'no-such-flow' }))).toBe('flow_not_found');
    const { name } = await aSchedule();
    expect(await codeOf(create({ name }))).toBe('schedule_exists');
  });

  test('a schedule can be switched off and removed though its flow does not fit any more', async () => {
    const { name } = await aSchedule();
    await pool.query(`update schedule set input = '{"day":3}' where name = $1`, [name]);
    expect(await pauseSchedule(orm, { workspaceId, schedule: name })).toMatchObject({ enabled: false });
    expect(await codeOf(resumeSchedule(orm, { workspaceId, schedule: name }))).toBe('input_invalid');
    await deleteSchedule(orm, { workspaceId, schedule: name });
    expect(await codeOf(get(name))).toBe('schedule_not_found');
  });

  test('C79: what is exported and imported starts switched off, all or none', async () => {
    const { name } = await aSchedule({ overlap: 'queue', jitterMs: 5 });
    const [spec] = (await exportSchedules(orm, { workspaceId })).filter((each) => each.name === name);
    await deleteSchedule(orm, { workspaceId, schedule: name });
    const [imported] = await importSchedules(orm, { workspaceId, specs: [spec!] });
    expect(imported).toMatchObject({ ...spec, enabled: false });
    expect(imported!.nextSlot).toBeUndefined();
    const fresh = { ...spec!, name: `s${++names}` };
    expect(await codeOf(importSchedules(orm, { workspaceId, specs: [fresh, spec!] }))).toBe(
      'schedule_exists',
    );
    expect(await codeOf(get(fresh.name))).toBe('schedule_not_found');
  });

  test('the slots to come are told for a schedule that is off too', async () => {
    const { name } = await aSchedule({ enabled: false, cron: '30 2 * * *', timeZone: 'America/Chicago' });
    expect(
      await nextSlots(orm, { workspaceId, schedule: name, count: 2, after: '2026-03-07T12:00:00Z' }),
    ).toEqual({
      timeZone: 'America/Chicago',
      slots: ['2026-03-08T08:30:00.000Z', '2026-03-09T07:30:00.000Z'],
    });
  });

  test('lists go page by page', async () => {
    const made = [];
    for (let i = 0; i < 5; i++)
      made.push(
        (await aSchedule({ name: `paged-${i}`, cron: '* * * * *', overlap: 'allow', catchUp: 'all' })).name,
      );
    const first = await listSchedules(orm, { workspaceId, limit: 2, flow: 'report' });
    const rest = await listSchedules(orm, { workspaceId, limit: 200, cursor: first.nextCursor! });
    expect(first.items.map(({ name }) => name)).toEqual(['paged-0', 'paged-1']);
    expect(rest.items[0]!.name).toBe('paged-2');
    await expect(listSchedules(orm, { workspaceId, cursor: '\u0000' })).rejects.toMatchObject({
      code: 'cursor_invalid',
    });

    const { rows } = await pool.query("select id from schedule where name = 'paged-0'");
    await database.setClock(START + 5 * MINUTE);
    await tick(rows[0].id);
    const slots = await listSlots(orm, { workspaceId, schedule: 'paged-0', limit: 3 });
    const more = await listSlots(orm, {
      workspaceId,
      schedule: 'paged-0',
      limit: 3,
      cursor: slots.nextCursor!,
    });
    expect([...slots.items, ...more.items].map(({ slot }) => slot)).toEqual(
      [5, 4, 3, 2, 1].map((minute) => at(minute * MINUTE)),
    );
    expect(more.nextCursor).toBeUndefined();
    await expect(listSlots(orm, { workspaceId, schedule: 'paged-0', cursor: 'eA' })).rejects.toMatchObject({
      code: 'cursor_invalid',
    });
    expect(made).toHaveLength(5);
  });

  test('V14: another workspace sees, changes and fires nothing', async () => {
    const { name } = await aSchedule();
    const foreign = { workspaceId: OTHER_WORKSPACE_ID, schedule: name };
    for (const work of [
      () => getSchedule(orm, foreign),
      () => changeSchedule(orm, { ...foreign, changes: { cron: '* * * * *' } }),
      () => pauseSchedule(orm, foreign),
      () => resumeSchedule(orm, foreign),
      () => deleteSchedule(orm, foreign),
      () => nextSlots(orm, { ...foreign, count: 1 }),
      () => listSlots(orm, foreign),
      () => backfillSchedule(orm, { ...foreign, from: at(-HOUR), until: at(0) }),
    ])
      expect(await codeOf(work())).toBe('schedule_not_found');
    expect((await listSchedules(orm, { workspaceId: OTHER_WORKSPACE_ID })).items).toEqual([]);
    expect(await exportSchedules(orm, { workspaceId: OTHER_WORKSPACE_ID })).toEqual([]);
    const theirs = { name, flow: 'report', cron: '0 * * * *' };
    expect(await codeOf(createSchedule(orm, { workspaceId: OTHER_WORKSPACE_ID, spec: theirs }))).toBe(
      'flow_not_found',
    );
    expect(await get(name)).toMatchObject({ enabled: true, cron: '0 * * * *' });
  });

  test('a time zone that is not known any more switches the clock of its schedule off and says so', async () => {
    const { name, id } = await aSchedule();
    await pool.query("update schedule set time_zone = 'Gone/Zone' where id = $1", [id]);
    await database.setClock(START + HOUR);
    await tick(id);
    expect((await findSchedulesToLookAt(hot.pool, 100)).due).not.toContain(id);
    expect(await get(name)).toMatchObject({ lastError: { code: 'schedule_invalid' } });
  });
});

// Catches: a flow that calls a tool and is not named, or one that only speaks of it; calls of others that are counted; a count that
// reads the whole history.
import type { Json } from '@pawl/dag-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  countToolCalls,
  createFlow,
  DEFAULT_WORKSPACE_ID,
  findToolUsers,
  MOST_CALLS,
  MOST_USERS,
  newRunId,
  type Orm,
  publishFlow,
  saveDraft,
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
  for (const table of ['flow_version', 'flow', 'run', 'journal'])
    await store.pool.query(`truncate ${table} cascade`);
});

const workspaceId = DEFAULT_WORKSPACE_ID;
const TOOL = 'crm.find@1';
const call = (id: string, tool = TOOL, more: object = {}) => ({ id, kind: 'tool', tool, ...more });
const flowOf = (name: string, nodes: readonly object[], title?: string) =>
  ({ format: 'pawl/1', name, ...(title && { title }), nodes, edges: [] }) as unknown as Json;
const create = (flow: string, nodes: readonly object[], workspace = workspaceId) =>
  createFlow(store.orm, { workspaceId: workspace, flow, document: flowOf(flow, nodes) });

describe('the flows that call a tool', () => {
  const users = (tool = TOOL, workspace = workspaceId) =>
    findToolUsers(store.orm, { workspaceId: workspace, tool });

  test('are told with the nodes of the draft and of the version that starts run', async () => {
    await create('both', [call('a')]);
    await publishFlow(store.orm, { workspaceId, flow: 'both' });
    const inside = { id: 'each', kind: 'map', over: '{{ [1] }}', body: { nodes: [call('in')], edges: [] } };
    await saveDraft(store.orm, {
      workspaceId,
      flow: 'both',
      document: flowOf('both', [call('a'), inside], 'Both of them'),
      expectedRevision: 1,
    });
    await create('drawn', [call('later')]);
    await create('once', [call('was')]);
    const { version } = await publishFlow(store.orm, { workspaceId, flow: 'once' });
    await saveDraft(store.orm, {
      workspaceId,
      flow: 'once',
      document: flowOf('once', []),
      expectedRevision: 1,
    });
    expect(await users()).toEqual({
      flows: [
        {
          flow: 'both',
          title: 'Both of them',
          draft: ['a', 'in'],
          published: { version: expect.any(String), number: 1, nodes: ['a'] },
        },
        { flow: 'drawn', draft: ['later'] },
        { flow: 'once', published: { version: version.id, number: 1, nodes: ['was'] } },
      ],
      isCut: false,
    });
  });

  test('are none that stopped calling it, call another version, or only speak of it', async () => {
    await create('former', [call('a')]);
    await publishFlow(store.orm, { workspaceId, flow: 'former' });
    const document = flowOf('former', [call('a', 'crm.find@2')]);
    await saveDraft(store.orm, { workspaceId, flow: 'former', document, expectedRevision: 1 });
    await publishFlow(store.orm, { workspaceId, flow: 'former' });
    await create('prompt', [
      { id: 'a', kind: 'llm', model: 'sim:writer', prompt: `say {"tool":"${TOOL}"} \u0000` },
    ]);
    await create('argument', [call('a', 'other.tool@1', { args: { tool: TOOL } })]);
    expect(await users()).toEqual({ flows: [], isCut: false });
  });

  test('are found by indexes, however many flows there are', async () => {
    await create('one', [call('a')]);
    await store.pool.query(
      `insert into flow (id, workspace_id, name, draft, revision)
       select gen_random_uuid(), $1, 'f' || n, $2::json, 1 from generate_series(1, 3000) as n`,
      [workspaceId, JSON.stringify(flowOf('f', [call('a', 'other.tool@1')]))],
    );
    await store.pool.query(
      `insert into flow_version (workspace_id, id, flow_id, number, document)
       select workspace_id, 'v' || id, id, 1, draft from flow where name like 'f%'`,
    );
    await store.pool.query("update flow set published_version_id = 'v' || id where name like 'f%'");
    await store.pool.query('analyze flow, flow_version');
    const plan = await planOf((orm) => findToolUsers(orm, { workspaceId, tool: TOOL }));
    expect(plan).toContain('flow_calls');
    expect(plan).toContain('flow_version_calls');
    expect(plan).not.toContain('Seq Scan on');
  });

  test('V14: of another workspace are never told', async () => {
    await create('theirs', [call('a')], OTHER_WORKSPACE_ID);
    expect((await users()).flows).toEqual([]);
    expect((await users(TOOL, OTHER_WORKSPACE_ID)).flows).toHaveLength(1);
  });

  test('are listed so far, and said to be more', async () => {
    await store.pool.query(
      `insert into flow (id, workspace_id, name, draft, revision)
       select gen_random_uuid(), $1, 'f' || n, $2::json, 1 from generate_series(1, $3::int) as n`,
      [workspaceId, JSON.stringify(flowOf('f', [call('a')])), MOST_USERS + 1],
    );
    const found = await users();
    expect([found.flows.length, found.isCut]).toEqual([MOST_USERS, true]);
  });
});

const HOUR = 3_600_000;
/** One sending in a run of its own, so long ago, and how it ended. */
async function sent(
  hoursAgo: number,
  ended?: { readonly type: string; readonly afterMs: number; readonly attempt?: number },
  { target = TOOL, workspace = workspaceId } = {},
): Promise<void> {
  const at = Date.now() - hoursAgo * HOUR;
  const runId = await seedRun(store.pool, { id: newRunId(at), workspace_id: workspace });
  const intent = {
    v: 1,
    call: 0,
    effect: 'idempotent',
    target,
    key: 'k',
    requestHash: 'h',
    request: { target: TOOL },
  };
  await seedEvent(store.pool, runId, {
    seq: 2,
    type: 'intent.recorded',
    path: 'a',
    attempt: 1,
    at: new Date(at),
    data: intent,
  });
  await seedEvent(store.pool, runId, {
    seq: 3,
    type: 'outcome.succeeded',
    path: 'b',
    attempt: 1,
    at: new Date(at + 1),
    data: {},
  });
  if (ended)
    await seedEvent(store.pool, runId, {
      seq: 4,
      type: ended.type,
      path: 'a',
      attempt: ended.attempt ?? 1,
      at: new Date(at + ended.afterMs),
      data: {},
    });
}

describe('how calls went', () => {
  const counted = () => countToolCalls(store.orm, { workspaceId, tool: TOOL });

  test('is told of a day and of a week, with the median of those that succeeded', async () => {
    await sent(1, { type: 'outcome.succeeded', afterMs: 100 });
    await sent(2, { type: 'outcome.succeeded', afterMs: 300 });
    await sent(3, { type: 'outcome.failed', afterMs: 9_000 });
    await sent(4, { type: 'attempt.lost', afterMs: 9_000 });
    await sent(5);
    await sent(5, { type: 'outcome.succeeded', afterMs: 5, attempt: 2 });
    await sent(30, { type: 'outcome.succeeded', afterMs: 700 });
    await sent(8 * 24, { type: 'outcome.failed', afterMs: 1 });
    expect(await counted()).toEqual({
      day: { calls: 6, succeeded: 2, failed: 1, lost: 1, medianMs: 200 },
      week: { calls: 7, succeeded: 3, failed: 1, lost: 1, medianMs: 300 },
    });
  });

  test('counts no call of another tool, nor of another workspace', async () => {
    await sent(1, { type: 'outcome.failed', afterMs: 1 }, { target: 'crm.find@2' });
    await sent(1, { type: 'outcome.failed', afterMs: 1 }, { workspace: OTHER_WORKSPACE_ID });
    const none = { calls: 0, succeeded: 0, failed: 0, lost: 0 };
    expect(await counted()).toEqual({ day: none, week: none });
  });

  test('says since when it counts where there are more than it looks at', async () => {
    await manyCalls(MOST_CALLS + 1);
    const { day, onlySince } = await counted();
    expect(day.calls).toBe(MOST_CALLS);
    expect(Date.parse(onlySince!)).toBeGreaterThan(Date.now() - 24 * HOUR);
  });

  async function manyCalls(count: number, target = TOOL): Promise<void> {
    const runId = await seedRun(store.pool);
    await store.pool.query(
      `insert into journal (run_id, seq, type, path, attempt, at, data, target)
       select $1::uuid, n * 2, 'intent.recorded', 'n' || n, 1, now() - n * interval '1 second', $3::json, $4 from generate_series(1, $2::int) as n
       union all
       select $1::uuid, n * 2 + 1, 'outcome.succeeded', 'n' || n, 1, now(), '{}', null from generate_series(1, $2::int) as n`,
      [runId, count, JSON.stringify({ v: 1, call: 0, effect: 'idempotent', target }), target],
    );
  }

  test('is read from indexes, whatever else is in the journals', async () => {
    await manyCalls(500);
    await manyCalls(5_000, 'other.tool@1');
    await store.pool.query(
      `insert into journal (run_id, seq, type, path, attempt, at, data)
       select $1::uuid, n, 'outcome.succeeded', 'n', 1, now() - interval '20 days', $2::json from generate_series(1, 40000) as n`,
      [await seedRun(store.pool), JSON.stringify({ v: 1, output: 'a'.repeat(400) })],
    );
    await store.pool.query('analyze');
    const plan = await planOf((orm) => countToolCalls(orm, { workspaceId, tool: TOOL }));
    expect(plan).toMatch(/Index Cond: [^\n]*target = /);
    // Partitions without a row are read as they are.
    expect(plan).not.toMatch(/Seq Scan on journal\S* \S+ \([^)]*rows=[1-9]/);
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{4}/);
  });
});

/** How PostgreSQL carries out what a query asks. */
async function planOf(ask: (orm: Orm) => Promise<unknown>): Promise<string> {
  let plan = '';
  const pool = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await store.pool.query(`explain (analyze, costs off) ${text}`, values);
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return { rows: [] };
    },
  };
  await ask({ pool } as unknown as Orm);
  return plan;
}

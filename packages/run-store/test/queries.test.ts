// Catches: a run shown wrong or to the wrong workspace, a page that skips or repeats, an end announced too early.
import type { RunStatus } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DEFAULT_WORKSPACE_ID,
  getNodeRun,
  getRun,
  listNodeRuns,
  listRuns,
  listWork,
  newRunId,
  offloadValue,
  type RunFilter,
  readEvents,
} from '../src/index.ts';
import {
  OTHER_WORKSPACE_ID,
  openTestStore,
  seedEvent,
  seedNodeRun,
  seedRun,
  type TestStore,
} from './support/seed.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const workspaceId = DEFAULT_WORKSPACE_ID;
const admitted = (input: unknown) => ({
  seq: 1,
  type: 'run.admitted',
  data: { v: 1, versionId: 'v1', input, budget: {}, trigger: 'api', seed: '5' },
});

describe('listWork', () => {
  test('says who holds what of a run, and whether the lease lives', async () => {
    const worker = async (more: string) => {
      const id = newRunId();
      await store.pool.query(
        `insert into worker (id, lock_key, host, pid, process_started, pools, lease_until, stopped_at)
         values ($1, 1, 'h', 1, 's', '{}', ${more})`,
        [id],
      );
      return id;
    };
    const alive = await worker("now() + interval '20 seconds', null");
    const silent = await worker("now() - interval '1 second', null");
    const stopped = await worker("now() + interval '20 seconds', now()");
    const runId = await seedRun(store.pool, { status: 'running' });
    const hold = (path: string, workerId: string, status = 'running') =>
      seedNodeRun(store.pool, runId, { path, status, worker_id: workerId, attempt: 2 });
    await hold('a', alive);
    await hold('b', silent);
    await hold('c', stopped);
    await hold('d', alive, 'succeeded');
    const { items } = (await listWork(store.orm, { workspaceId, runId }))!;
    expect(items).toMatchObject([
      { path: 'a', attempt: 2, workerId: alive, isAlive: true },
      { path: 'b', workerId: silent, isAlive: false, leftMs: 0 },
      { path: 'c', workerId: stopped, isAlive: false, leftMs: 0 },
    ]);
    expect(items[0]!.leftMs).toBeGreaterThan(10_000);
    expect(items[0]!.leftMs).toBeLessThanOrEqual(20_000);
    expect(await listWork(store.orm, { workspaceId: OTHER_WORKSPACE_ID, runId })).toBeUndefined();
  });
});

describe('listRuns', () => {
  const instants = Array.from({ length: 7 }, (_, place) => Date.UTC(2026, 9, 1 + place * 5, 12));
  const statuses: RunStatus[] = [
    'succeeded',
    'failed',
    'running',
    'paused',
    'succeeded',
    'cancelled',
    'pending',
  ];
  let ids: string[];
  beforeAll(async () => {
    ids = await Promise.all(
      instants.map((ms, place) =>
        seedRun(store.pool, {
          id: newRunId(ms),
          flow_name: 'listed',
          status: statuses[place],
          created_at: new Date(ms),
          tags: { team: place % 2 ? 'red' : 'blue', place: `n${place}` },
        }),
      ),
    );
    await seedRun(store.pool, { workspace_id: OTHER_WORKSPACE_ID, flow_name: 'listed' });
  });

  const list = async (filter: RunFilter = {}): Promise<string[]> =>
    (await listRuns(store.orm, workspaceId, { flow: 'listed', ...filter })).items.map((run) => run.id);
  const byPlace = (...places: number[]) => places.map((place) => ids[place]);

  test('newest first, of this workspace and flow only', async () => {
    expect(await list()).toEqual(byPlace(6, 5, 4, 3, 2, 1, 0));
    expect((await listRuns(store.orm, OTHER_WORKSPACE_ID, { flow: 'listed' })).items).toHaveLength(1);
    expect(await list({ flow: 'none' })).toEqual([]);
  });

  test('narrows to a version, to what cost more, and to where a node failed, wherever it stands in the flow', async () => {
    const flow = 'narrowed';
    const seed = (more: object) => seedRun(store.pool, { flow_name: flow, ...more });
    const cheap = await seed({ version_id: 'v2', status: 'partial', spent_cost_nano_usd: 1_000_000 });
    const dear = await seed({ version_id: 'v3', status: 'failed', spent_cost_nano_usd: 20_000_000 });
    await seedNodeRun(store.pool, cheap, { path: 'each/3/read', node_id: 'read', status: 'failed' });
    await seedNodeRun(store.pool, dear, { path: 'read', node_id: 'read', status: 'succeeded' });
    await seedNodeRun(store.pool, dear, { path: 'write', node_id: 'write', status: 'failed' });
    expect(await list({ flow, version: 'v2' })).toEqual([cheap]);
    expect(await list({ flow, costAbove: 0.001 })).toEqual([dear]);
    expect(await list({ flow, costAbove: 0 })).toEqual([dear, cheap]);
    expect(await list({ flow, failedNode: 'read' })).toEqual([cheap]);
    expect(await list({ flow, failedNode: 'write', version: 'v2' })).toEqual([]);
  });

  test('narrows to what open runs wait for, by the word that the list shows', async () => {
    const flow = 'waits';
    const asks = await seedRun(store.pool, { flow_name: flow, status: 'waiting' });
    const sleeps = await seedRun(store.pool, { flow_name: flow, status: 'waiting' });
    await seedRun(store.pool, { flow_name: flow, status: 'succeeded' });
    await seedNodeRun(store.pool, asks, {
      path: 'n',
      status: 'waiting',
      reason: 'approval',
      more: { question: 3 },
    });
    await seedNodeRun(store.pool, sleeps, {
      path: 'n',
      status: 'waiting',
      reason: 'timer',
      wake_at: new Date(Date.now() + 60_000),
    });
    expect(await list({ flow, waitingFor: ['person'] })).toEqual([asks]);
    expect(await list({ flow, waitingFor: ['timer'] })).toEqual([sleeps]);
    expect(await list({ flow, waitingFor: ['timer', 'person'] })).toEqual([sleeps, asks]);
    expect(await list({ flow, waitingFor: ['signal'] })).toEqual([]);
    const page = await listRuns(store.orm, workspaceId, { flow, waitingFor: ['timer', 'person'], limit: 1 });
    expect(page.items.map(({ id }) => id)).toEqual([sleeps]);
    const next = await listRuns(store.orm, workspaceId, {
      flow,
      waitingFor: ['timer', 'person'],
      cursor: page.nextCursor!,
    });
    expect(next).toMatchObject({ items: [{ id: asks }] });
  });

  test('a page looks at a bounded number of runs, and the next one goes on behind them', async () => {
    const bounds = { rows: 3, nodeRuns: 2, waits: 200 };
    for (const filter of [{ status: ['failed' as const] }, { flow: 'listed', status: ['failed' as const] }]) {
      const seen: string[] = [];
      let pages = 0;
      let cursor: string | undefined;
      do {
        const wish = { ...filter, ...(cursor !== undefined && { cursor }) };
        const page = await listRuns(store.orm, workspaceId, wish, bounds);
        seen.push(...page.items.map(({ id }) => id));
        pages += 1;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(pages).toBeGreaterThan(2);
      expect(seen).toEqual((await listRuns(store.orm, workspaceId, filter)).items.map(({ id }) => id));
      expect(seen).toContain(ids[1]);
    }
  });

  test('each filter narrows, and together they narrow further', async () => {
    expect(await list({ status: ['succeeded', 'failed'] })).toEqual(byPlace(4, 1, 0));
    expect(await list({ status: [] })).toEqual([]);
    expect(await list({ runIds: [ids[5]!, ids[2]!, newRunId()] })).toEqual(byPlace(5, 2));
    expect(await list({ runIds: [ids[5]!, ids[2]!], status: ['running'] })).toEqual(byPlace(2));
    expect(await list({ createdAfter: new Date(instants[4]!).toISOString() })).toEqual(byPlace(6, 5));
    expect(await list({ createdBefore: new Date(instants[2]!).toISOString() })).toEqual(byPlace(1, 0));
    expect(await list({ tag: { key: 'team', value: 'red' } })).toEqual(byPlace(5, 3, 1));
    expect(
      await list({
        tag: { key: 'team', value: 'blue' },
        status: ['succeeded'],
        createdAfter: '2026-10-02T00:00:00Z',
      }),
    ).toEqual(byPlace(4));
  });

  test.each([1, 2, 3, 7])(
    'pages of %i hold every run once, also when new ones arrive in between',
    async (limit) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      const arrived: string[] = [];
      do {
        const page = await listRuns(store.orm, workspaceId, {
          flow: 'listed',
          limit,
          ...(cursor && { cursor }),
        });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...page.items.map((run) => run.id));
        cursor = page.nextCursor;
        if (cursor) arrived.push(await seedRun(store.pool, { flow_name: 'listed' }));
      } while (cursor);
      expect(seen).toEqual(byPlace(6, 5, 4, 3, 2, 1, 0));
      await store.pool.query('delete from run where id = any ($1)', [arrived]);
    },
  );

  test('a cursor that no page gave is refused', async () => {
    for (const cursor of [
      'x',
      '',
      'AAAA',
      "' or 1=1",
      Buffer.from('17 bytes of noise').toString('base64url'),
    ]) {
      await expect(list({ cursor })).rejects.toMatchObject({ code: 'cursor_invalid' });
    }
  });

  test('tags with NUL, half characters or nested look-alikes neither break the list nor match wrongly', async () => {
    const odd = {
      flow_name: 'odd',
      tags: { team: 'red', nul: 'a\u0000b', half: 'x\ud83e', deep: { team: 'blue' } },
    };
    const id = await seedRun(store.pool, odd);
    const plain = await seedRun(store.pool, { flow_name: 'odd', tags: { team: 'red', deep: { kind: 'x' } } });
    const find = (key: string, value: string) => list({ flow: 'odd', tag: { key, value } });
    expect(await find('team', 'red')).toEqual([plain, id]);
    expect(await find('nul', 'a\u0000b')).toEqual([id]);
    expect(await find('half', 'x\ud83e')).toEqual([id]);
    expect(await find('nul', 'a')).toEqual([]);
    expect(await find('kind', 'x')).toEqual([]);
    expect(await find('__proto__', 'x')).toEqual([]);
  });
});

describe('getRun', () => {
  test('it shows what the row and the journal say', async () => {
    const createdAt = new Date('2026-11-20T10:00:00.123Z');
    const id = await seedRun(store.pool, {
      status: 'partial',
      next_seq: 4,
      output_seq: 3,
      degraded: [{ path: 'lookup', reason: 'items failed' }],
      budget_limits: { costUsd: 0.5 },
      reserved_cost_nano_usd: 5,
      spent_cost_nano_usd: '9007199254740991',
      spent_tokens: 1200,
      spent_model_calls: 3,
      tags: { b: 1, a: 2 },
      created_at: createdAt,
      started_at: createdAt,
      finished_at: new Date('2026-11-20T10:00:01Z'),
    });
    await seedEvent(store.pool, id, admitted({ ticket: 7 }));
    await seedEvent(store.pool, id, {
      seq: 3,
      type: 'run.statusChanged',
      data: { v: 1, status: 'partial', output: { reply: 'ok' } },
    });
    for (const [path, status] of [
      ['a', 'succeeded'],
      ['b', 'succeeded'],
      ['c', 'failed'],
    ]) {
      await seedNodeRun(store.pool, id, { path, status });
    }
    expect(await getRun(store.orm, { workspaceId, runId: id.toUpperCase() })).toEqual({
      id,
      flow: 'triage',
      version: 'v1',
      status: 'partial',
      degraded: [{ path: 'lookup', reason: 'items failed' }],
      budget: {
        limits: { costUsd: 0.5 },
        reserved: { costNanoUsd: 5, tokens: 0, modelCalls: 0 },
        spent: { costNanoUsd: 9007199254740991, tokens: 1200, modelCalls: 3 },
      },
      tags: { b: 1, a: 2 },
      createdAt: '2026-11-20T10:00:00.123Z',
      startedAt: '2026-11-20T10:00:00.123Z',
      finishedAt: '2026-11-20T10:00:01.000Z',
      lastSeq: 3,
      input: { ticket: 7 },
      output: { reply: 'ok' },
      nodeRuns: { succeeded: 2, failed: 1 },
    });
  });

  test('V14: a run of another workspace, or no id at all, does not exist', async () => {
    const id = await seedRun(store.pool, { workspace_id: OTHER_WORKSPACE_ID });
    await seedNodeRun(store.pool, id, { path: 'a' });
    for (const runId of [id, newRunId(), 'r_81', '', "x' or ''='", 'a\u0000']) {
      const ref = { workspaceId, runId };
      expect(await getRun(store.orm, ref)).toBeUndefined();
      expect(await listNodeRuns(store.orm, ref)).toBeUndefined();
      expect(await getNodeRun(store.orm, { ...ref, path: 'a' })).toBeUndefined();
      expect(await readEvents(store.orm, ref)).toBeUndefined();
    }
    expect(await getRun(store.orm, { workspaceId: OTHER_WORKSPACE_ID, runId: id })).toBeDefined();
  });

  test('input and output that lie outside the journal read like any other', async () => {
    const [input, output] = [{ text: 'i'.repeat(400_000) }, 'ö'.repeat(300_000)];
    const [inputRef, outputRef] = await Promise.all(
      [input, output].map((value) => offloadValue(store.pool, newRunId(), JSON.stringify(value))),
    );
    const id = await seedRun(store.pool, { status: 'succeeded', next_seq: 3, output_seq: 2 });
    await seedEvent(store.pool, id, { seq: 1, type: 'run.admitted', data: { v: 1, inputRef } });
    await seedEvent(store.pool, id, { seq: 2, type: 'run.statusChanged', data: { v: 1, outputRef } });
    const run = await getRun(store.orm, { workspaceId, runId: id });
    expect(run?.input).toEqual(input);
    expect(run?.output).toBe(output);
    const page = await readEvents(store.orm, { workspaceId, runId: id });
    expect(page!.events[1]!.data).toEqual({ v: 1, output });
  });

  test('a failed run shows its failure and no output', async () => {
    const failure = { code: 'tool_failed', message: 'No.', class: 'permanent' };
    const id = await seedRun(store.pool, { status: 'failed', failure, next_seq: 3, output_seq: 2 });
    await seedEvent(store.pool, id, admitted(null));
    await seedEvent(store.pool, id, {
      seq: 2,
      type: 'run.statusChanged',
      data: { v: 1, status: 'failed', failure },
    });
    const run = await getRun(store.orm, { workspaceId, runId: id });
    expect(run).toMatchObject({ failure, input: null });
    expect(run).not.toHaveProperty('output');
    expect(run).not.toHaveProperty('waitingFor');
  });
});

describe('node runs', () => {
  test('they are listed by path in byte order, page by page', async () => {
    const runId = await seedRun(store.pool);
    const paths = ['Z', 'a', 'a/1', 'a/10', 'a/2', 'é'];
    for (const path of [...paths].reverse()) await seedNodeRun(store.pool, runId, { path });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listNodeRuns(store.orm, { workspaceId, runId, limit: 4, ...(cursor && { cursor }) });
      seen.push(...page!.items.map((each) => each.path));
      cursor = page!.nextCursor;
    } while (cursor);
    expect(seen).toEqual(paths);
    const ofOne = await listNodeRuns(store.orm, { workspaceId, runId, node: 'a' });
    expect(ofOne!.items.map((each) => each.path)).toEqual(['a']);
    await expect(listNodeRuns(store.orm, { workspaceId, runId, cursor: '*' })).rejects.toMatchObject({
      code: 'cursor_invalid',
    });
  });

  test('one shows its numbers, its output, and its own events in order', async () => {
    const runId = await seedRun(store.pool);
    await seedNodeRun(store.pool, runId, {
      path: 'each/3/score',
      node_id: 'score',
      kind: 'llm',
      effect: 'model',
      status: 'succeeded',
      attempt: 2,
      output_seq: 5,
      item_index: 3,
      cost_nano_usd: 1_500_000,
      tokens: 250,
      failure: null,
      started_at: new Date('2026-11-20T10:00:00Z'),
      finished_at: new Date('2026-11-20T10:00:02Z'),
    });
    const path = 'each/3/score';
    const failed = {
      v: 1,
      failure: { code: 'x', message: 'm', class: 'transient' },
      next: 'retry',
      retryAt: 1,
    };
    await seedEvent(store.pool, runId, {
      seq: 5,
      type: 'outcome.succeeded',
      path,
      attempt: 2,
      data: { v: 1, output: 9 },
    });
    await seedEvent(store.pool, runId, { seq: 3, type: 'outcome.failed', path, attempt: 1, data: failed });
    await seedEvent(store.pool, runId, {
      seq: 4,
      type: 'outcome.succeeded',
      path: 'other',
      data: { v: 1, output: 1 },
    });
    const detail = await getNodeRun(store.orm, { workspaceId, runId, path });
    expect(detail).toMatchObject({
      path,
      nodeId: 'score',
      kind: 'llm',
      effect: 'model',
      status: 'succeeded',
      attempt: 2,
      itemIndex: 3,
      costUsd: 0.0015,
      tokens: 250,
      startedAt: '2026-11-20T10:00:00.000Z',
      finishedAt: '2026-11-20T10:00:02.000Z',
      output: 9,
    });
    expect(detail!.events.map((event) => [event.seq, event.type, event.attempt])).toEqual([
      [3, 'outcome.failed', 1],
      [5, 'outcome.succeeded', 2],
    ]);
    expect(detail).not.toHaveProperty('failure');
    expect(await getNodeRun(store.orm, { workspaceId, runId, path: 'each/3' })).toBeUndefined();
    expect(await getNodeRun(store.orm, { workspaceId, runId, path: 'a\u0000' })).toBeUndefined();
  });

  test('one that went on with its fallback has that as output; a failed one shows why', async () => {
    const runId = await seedRun(store.pool);
    const failure = { code: 'gone', message: 'It is gone.', class: 'permanent' };
    await seedNodeRun(store.pool, runId, { path: 'a', status: 'succeeded', output_seq: 2 });
    await seedEvent(store.pool, runId, {
      seq: 2,
      type: 'outcome.failed',
      path: 'a',
      data: { v: 1, failure, next: 'fallback', fallback: [] },
    });
    await seedNodeRun(store.pool, runId, { path: 'b', status: 'failed', failure });
    expect(await getNodeRun(store.orm, { workspaceId, runId, path: 'a' })).toMatchObject({ output: [] });
    expect(await getNodeRun(store.orm, { workspaceId, runId, path: 'b' })).toMatchObject({
      failure,
      events: [],
    });
  });
});

describe('readEvents', () => {
  async function aJournal(status: RunStatus, count: number): Promise<string> {
    const runId = await seedRun(store.pool, { status, next_seq: count + 1 });
    for (let seq = 1; seq <= count; seq += 1) {
      await seedEvent(store.pool, runId, {
        ...admitted(seq),
        seq,
        at: new Date(Date.UTC(2026, 10, 20, 0, 0, seq)),
      });
    }
    return runId;
  }

  test('pages join without gap or repeat; the end is announced with the last event only', async () => {
    const runId = await aJournal('succeeded', 7);
    const first = await readEvents(store.orm, { workspaceId, runId, limit: 3 });
    expect(first!.events.map((event) => event.seq)).toEqual([1, 2, 3]);
    expect(first!.events[1]!.at).toBe(Date.UTC(2026, 10, 20, 0, 0, 2));
    expect(first!.ended).toBe(false);
    const rest = await readEvents(store.orm, { workspaceId, runId, after: 3, limit: 100 });
    expect(rest!.events.map((event) => event.seq)).toEqual([4, 5, 6, 7]);
    expect(rest!.ended).toBe(true);
    expect(await readEvents(store.orm, { workspaceId, runId, after: 7 })).toEqual({
      events: [],
      ended: true,
    });
  });

  test('a run that is not finished never ends its events', async () => {
    for (const status of ['pending', 'running', 'waiting', 'paused', 'cancelling', 'compensating'] as const) {
      const runId = await aJournal(status, 1);
      expect((await readEvents(store.orm, { workspaceId, runId, after: 1 }))!.ended).toBe(false);
    }
  });

  test('a page ends before its values grow too large, and still moves on', async () => {
    const outputRef = await offloadValue(
      store.pool,
      newRunId(),
      JSON.stringify('v'.repeat(10 * 1024 * 1024)),
    );
    const runId = await seedRun(store.pool, { status: 'succeeded', next_seq: 5 });
    for (let seq = 1; seq <= 4; seq += 1) {
      await seedEvent(store.pool, runId, {
        seq,
        type: 'outcome.succeeded',
        path: 'a',
        data: { v: 1, outputRef },
      });
    }
    const seen: number[] = [];
    let ended = false;
    while (!ended) {
      const page = await readEvents(store.orm, { workspaceId, runId, after: seen.at(-1) ?? 0 });
      expect(page!.events).toHaveLength(1);
      seen.push(...page!.events.map((event) => event.seq));
      ended = page!.ended;
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });
});

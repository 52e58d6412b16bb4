// Which mistake would this catch? A table of moves that holds in memory and not in the database: a status written over one that
// changed meanwhile, a claim of something that is not ready (T1, T2, V3, V7, V11).
import {
  compileGraph,
  type FlowDocument,
  MoveNotAllowedError,
  NODE_RUN_STATUSES,
  type NodeRunMove,
  type NodeRunStatus,
  nodeRunAllowedFrom,
  nodeRunMoves,
  RUN_STATUSES,
  type RunMove,
  type RunStatus,
  RunView,
  runMoves,
} from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HotPool, openHotPool, runStatement } from '../src/hot-pool.ts';
import { claimNodeRuns, newId } from '../src/index.ts';
import { LoadedRows } from '../src/loaded-rows.ts';
import {
  changedNodeRunArrays,
  doorbellArrays,
  effectArrays,
  eventArrays,
  laneArrays,
  type NodeRunChange,
  newNodeRunArrays,
  type RunChange,
  runArrays,
} from '../src/sql/change-arrays.ts';
import { loadNodeRuns } from '../src/sql/load-node-runs.ts';
import { lockRuns } from '../src/sql/lock-runs.ts';
import { applyChanges } from '../src/sql/status-door.ts';
import { commitFacts } from '../src/use-cases/commit-facts.ts';
import { openTestStore, seedNodeRun, seedRun, type TestStore } from './support/seed.ts';

let store: TestStore;
let hot: HotPool;
beforeAll(async () => {
  store = await openTestStore();
  hot = openHotPool(store.url, 4, () => {});
});
afterAll(async () => {
  await hot.end();
  await store.close();
});

const document: FlowDocument = {
  format: 'pawl/1',
  name: 'moves',
  nodes: [{ id: 'a', kind: 'transform', value: 1 }],
  edges: [],
};
const graph = compileGraph(document);

/** What the door does with changes, and nothing else; it refuses them all when one was not as read. */
async function write(changes: readonly NodeRunChange[], runs: readonly RunChange[] = []): Promise<void> {
  await runStatement(hot, applyChanges, [
    ...newNodeRunArrays([]),
    ...changedNodeRunArrays(changes),
    ...eventArrays([]),
    ...doorbellArrays([]),
    ...runArrays(runs),
    changes.length,
    runs.length,
    ...laneArrays([]),
    ...effectArrays([]),
    ...effectArrays(changes),
  ]);
}
/** How the door refuses: the statement fails, so that the commit behind it undoes everything. */
const NOT_AS_READ = { code: '22P02', message: expect.stringContaining('json') };

async function seeded(status: NodeRunStatus, run: { status?: RunStatus } = {}): Promise<string> {
  const runId = await seedRun(store.pool, run);
  await seedNodeRun(store.pool, runId, { path: 'a', status, attempt: 2 });
  return runId;
}

/** The node run as the hot path reads it, in a view that may move it. */
async function loaded(runId: string) {
  const client = await hot.connect();
  try {
    const [found] = await loadNodeRuns(client, [{ runId, path: 'a' }]);
    const rows = new LoadedRows();
    rows.add(found!.state);
    return { view: new RunView(graph, rows), row: found!.state, before: { ...found!.state } };
  } finally {
    client.release();
  }
}

async function stored(runId: string): Promise<{ status: NodeRunStatus; attempt: number }> {
  const { rows } = await store.pool.query('select status, attempt from node_run where run_id = $1', [runId]);
  return rows[0];
}

const nodeRunPairs = NODE_RUN_STATUSES.flatMap((status) =>
  (Object.keys(nodeRunMoves) as NodeRunMove[]).map((move) => ({ status, move })),
);
const isAllowed = ({ status, move }: { status: NodeRunStatus; move: NodeRunMove }) =>
  (nodeRunMoves[move].from as readonly NodeRunStatus[]).includes(status);

describe('a move of a node run', () => {
  test.each(nodeRunPairs.filter(isAllowed))('$status, $move: is written', async ({ status, move }) => {
    const runId = await seeded(status);
    const { view, row, before } = await loaded(runId);
    view.move(row, move);
    await write([{ runId, row, before }]);
    expect(await stored(runId)).toEqual({ status: nodeRunMoves[move].to, attempt: 2 });
  });

  test.each(nodeRunPairs.filter((pair) => !isAllowed(pair)))(
    '$status, $move: never reaches the database',
    async ({ status, move }) => {
      const runId = await seeded(status);
      const { view, row } = await loaded(runId);
      expect(() => view.move(row, move)).toThrow(MoveNotAllowedError);
      expect(await stored(runId)).toEqual({ status, attempt: 2 });
    },
  );

  test.each(nodeRunPairs.filter(isAllowed))(
    '$status, $move: is not written over a status or an attempt that changed meanwhile',
    async ({ status, move }) => {
      const runId = await seeded(status);
      const { view, row, before } = await loaded(runId);
      view.move(row, move);
      const meanwhile: [string, string | number][] = [
        ...NODE_RUN_STATUSES.filter((other) => other !== status).map((other): [string, string] => [
          'status',
          other,
        ]),
        ['attempt', 3],
        ['attempt', 1],
      ];
      for (const [column, value] of meanwhile) {
        await store.pool.query(`update node_run set ${column} = $2 where run_id = $1`, [runId, value]);
        await expect(write([{ runId, row, before }]), `${column} ${value}`).rejects.toMatchObject(
          NOT_AS_READ,
        );
        await store.pool.query('update node_run set status = $2, attempt = 2 where run_id = $1', [
          runId,
          status,
        ]);
      }
      expect(await stored(runId)).toEqual({ status, attempt: 2 });
    },
  );

  test('that finds something else than was read undoes the whole batch and says so', async () => {
    const workerId = newId();
    const runIds = [await seeded('running'), await seeded('running')];
    await store.pool.query('update node_run set worker_id = $2 where run_id = any ($1)', [runIds, workerId]);
    // Somebody changes a row between the look at it and the write, past the lock of its run.
    const client = await hot.connect();
    const query = client.query.bind(client) as (statement: unknown) => Promise<unknown>;
    const isTheWrite = (statement: unknown) => (statement as { name?: string }).name === applyChanges.name;
    const tampering = Object.assign(Object.create(client), {
      query: async (statement: unknown) => {
        if (isTheWrite(statement))
          await store.pool.query("update node_run set status = 'cancelled' where run_id = $1", [runIds[1]]);
        return query(statement);
      },
    });
    const pool = { connect: async () => tampering } as unknown as HotPool;
    const entries = runIds.map((runId) => ({
      runId,
      graph,
      facts: [{ path: 'a', attempt: 2, workerId, type: 'succeeded', output: 1 } as const],
    }));
    await expect(commitFacts(pool, entries)).rejects.toThrow();
    expect(await stored(runIds[0]!)).toEqual({ status: 'running', attempt: 2 });
    expect(await stored(runIds[1]!)).toEqual({ status: 'cancelled', attempt: 2 });
    const { rows } = await store.pool.query('select seq from journal where run_id = any ($1)', [runIds]);
    expect(rows).toEqual([]);
  });
});

describe('a claim', () => {
  test.each(NODE_RUN_STATUSES)('of a node run that is %s obeys the table', async (status) => {
    const runId = await seeded(status);
    const claimed = await claimNodeRuns(hot, newId(), [{ runId, path: 'a' }], []);
    const mayBe = nodeRunAllowedFrom.running.includes(status);
    expect(claimed.map(({ path, attempt }) => ({ path, attempt }))).toEqual(
      mayBe ? [{ path: 'a', attempt: 3 }] : [],
    );
    expect(await stored(runId)).toEqual(mayBe ? { status: 'running', attempt: 3 } : { status, attempt: 2 });
  });

  test.each(RUN_STATUSES)('in a run that is %s is given only where work may start', async (status) => {
    const runId = await seeded('ready', { status });
    const claimed = await claimNodeRuns(hot, newId(), [{ runId, path: 'a' }], []);
    expect(claimed).toHaveLength(['pending', 'running', 'waiting'].includes(status) ? 1 : 0);
  });

  test('in a run that is stopping is refused', async () => {
    const runId = await seeded('ready');
    await store.pool.query(`update run set failure = '{"code":"x"}' where id = $1`, [runId]);
    expect(await claimNodeRuns(hot, newId(), [{ runId, path: 'a' }], [])).toEqual([]);
  });

  test('of the same node run by twenty workers at once is given to one', async () => {
    const runId = await seeded('ready');
    const all = await Promise.all(
      Array.from({ length: 20 }, () => claimNodeRuns(hot, newId(), [{ runId, path: 'a' }], [])),
    );
    expect(all.flat()).toHaveLength(1);
    expect(await stored(runId)).toEqual({ status: 'running', attempt: 3 });
  });
});

const runPairs = RUN_STATUSES.flatMap((status) =>
  (Object.keys(runMoves) as RunMove[]).map((move) => ({ status, move })),
);

describe('a move of a run', () => {
  test.each(runPairs)('$status, $move: obeys the table', async ({ status, move }) => {
    const runId = await seedRun(store.pool, { status });
    const client = await hot.connect();
    const { state } = (await lockRuns(client, [runId])).get(runId)!;
    client.release();
    expect(state.status).toBe(status);
    const view = new RunView(graph, new LoadedRows(), { ...state });
    const change = () => ({ runId, fromSeq: state.nextSeq, run: view.run, isBudgetChanged: false });
    const mayBe = (runMoves[move].from as readonly RunStatus[]).includes(status);
    if (mayBe) {
      view.moveRun(move);
      view.run.nextSeq += 1;
      await write([], [change()]);
      await expect(write([], [change()]), 'once more, from where it was').rejects.toMatchObject(NOT_AS_READ);
    } else expect(() => view.moveRun(move)).toThrow(MoveNotAllowedError);
    const { rows } = await store.pool.query(
      'select status, finished_at is not null as ended from run where id = $1',
      [runId],
    );
    const now = mayBe ? runMoves[move].to : status;
    const hasEnded = mayBe && ['succeeded', 'partial', 'failed', 'cancelled'].includes(now);
    expect(rows).toEqual([{ status: now, ended: hasEnded }]);
  });
});

// Would catch: what a run of a sub-flow did stays, is undone twice or out of order, or its run, which has ended, changes, when the run
// above undoes and somebody dies over it.
import type { NodeConfig } from '@pawl/dag-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { backends } from '../support/backends.ts';
import { holdWrites } from '../support/hold-writes.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, journalOf, nodeRunsOf, publishFlow } from '../support/watch-run.ts';

const flowNode = (id: string, flow: string, what: string) =>
  ({ id, kind: 'flow', flow, input: { what: `{{ input.what & "${what}" }}` } }) as const;
const reserve = (id: string, what = '') =>
  call(id, 'reserve', { args: { what: `{{ input.what & "${what}" }}` } });

/** A sub-flow with one of its own, and one in each item of a map. */
const before: NodeConfig[] = [
  reserve('hold', ' hold'),
  flowNode('sub', 'middle', ' sub'),
  {
    id: 'each',
    kind: 'map',
    over: [1, 2],
    concurrency: 1,
    body: {
      nodes: [
        { id: 'one', kind: 'flow', flow: 'inner', input: { what: '{{ input.what & " " & $string(item) }}' } },
      ],
      edges: [],
    },
  },
];

/** What is undone, in order: what completed last first, over all runs. */
const UNDONE = [' 2', ' 1', ' sub deep', ' sub own', ' hold'];

/** Where whoever is killed is: what is not written yet when it dies. */
const PLACES = [
  [
    'before the undo run was admitted',
    { table: 'run', on: 'insert', when: `new.more->>'undoesRun' is not null` },
  ],
  [
    'before an undoing in the undo run was committed',
    { table: 'journal', on: 'insert', when: `new.type = 'outcome.succeeded' and new.path = 'put/undo'` },
  ],
  [
    'before the undo run had ended',
    { table: 'word', on: 'insert', when: `new.is_up and new.path like '%/undo'` },
  ],
  [
    'before the end of the undo run was told to the run above',
    { table: 'journal', on: 'insert', when: `new.type = 'flow.ended' and new.path like '%/undo'` },
  ],
] as const;

describe.each(backends)('sub-flows that ended well below a saga, queue on %s', (queue) => {
  let pawl: PawlWithLedger;
  let saga: string;
  let short: string;
  let started = 0;
  beforeAll(async () => {
    pawl = await startWithLedger({ queue, honoursKeys: ['put', 'unput'] });
    await publishFlow(pawl, [reserve('put')], { name: 'inner' });
    await publishFlow(pawl, [reserve('own', ' own'), flowNode('deep', 'inner', ' deep')], { name: 'middle' });
    const ship = call('ship', 'put', { retry: { maxAttempts: 1 }, onError: { do: 'fail' } });
    saga = await publishFlow(pawl, [...before, ship], { onFailure: 'compensate' });
    short = await publishFlow(pawl, [flowNode('sub', 'inner', ' sub'), ship], { onFailure: 'compensate' });
    pawl.ledger.decideBy((row) => (row.key.endsWith(':ship:0') ? refusing : undefined));
  });
  afterAll(() => pawl?.stop());
  beforeEach(() => pawl.needWorker());

  const refusing = { status: 422, message: 'no such street' };
  async function start(flow: string) {
    const what = `order-${++started}`;
    const { runId } = await pawl.client.startRun({ body: { flow, input: { what } } });
    return { runId, what };
  }
  const whatOf = (row: PawlWithLedger['ledger']['rows'][number]): string => {
    const { what } = row.body as { what: string | { args: { what: string } } };
    return typeof what === 'string' ? what : what.args.what;
  };
  const applied = (op: string, what: string) =>
    pawl.ledger.rows
      .filter((row) => row.isApplied && row.op === op && whatOf(row).startsWith(`${what} `))
      .map((row) => whatOf(row).slice(what.length));
  /** Nothing is left to be told, and every row is the fold of its journal. */
  async function isSettled(): Promise<void> {
    await expect.poll(() => askDatabase(pawl, 'select * from word')).toEqual([]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  }
  const runBelow = async (runId: string, path: string) =>
    (await eventOf(pawl, runId, 'flow.started', (event) => event.path === path)).data.runId;

  it('F9, S2: are undone by runs of their own, over all runs the last effect first, with what each gave', async () => {
    const { runId, what } = await start(saga);
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'failed', compensation: { planned: 4, left: [] } });
    expect(applied('unput', what)).toEqual(UNDONE);
    for (const each of pawl.ledger.rows.filter((row) => row.op === 'unput' && whatOf(row).startsWith(what)))
      expect(each.body.what).toMatchObject({ result: { op: 'put' } });
    const nodes = await nodeRunsOf(pawl, runId);
    expect(nodes.sub?.status).toBe('compensated');
    const [ended, undo] = [await runBelow(runId, 'sub'), await runBelow(runId, 'sub/undo')];
    expect(await pawl.client.getRun({ params: { runId: ended } })).toMatchObject({ status: 'succeeded' });
    expect(await pawl.client.getRun({ params: { runId: undo } })).toMatchObject({
      status: 'succeeded',
      undoes: ended,
      output: { left: [] },
      parent: { runId, path: 'sub/undo' },
    });
    const last = (await journalOf(pawl, ended)).at(-1);
    expect(last).toMatchObject({ type: 'run.statusChanged', data: { status: 'succeeded' } });
    await isSettled();
  });

  it('S1, V11: a cancel that asks for it undoes them, too', async () => {
    const waits = { id: 'waits', kind: 'wait', signal: { name: 'never', key: '{{ run.id }}' } } as const;
    const { runId, what } = await start(await publishFlow(pawl, [...before, waits]));
    await eventOf(pawl, runId, 'nodeRun.waiting', ({ path }) => path === 'waits');
    await pawl.client.cancelRun({ params: { runId }, body: { compensate: true } });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'cancelled', compensation: { planned: 4, left: [] } });
    expect(applied('unput', what)).toEqual(UNDONE);
    await isSettled();
  });

  it('S5: what a person skips two runs below is named in the topmost run', async () => {
    pawl.ledger.decideBy((row) =>
      row.key.endsWith(':ship:0') || (row.op === 'unput' && whatOf(row).endsWith('deep'))
        ? refusing
        : undefined,
    );
    const { runId, what } = await start(saga);
    const middle = await runBelow(runId, 'sub/undo');
    const inner = await runBelow(middle, 'deep/undo');
    await eventOf(pawl, inner, 'outcome.failed', ({ path }) => path === 'put/undo');
    const query = { path: 'put/undo' };
    await pawl.client.settleNodeRun({ params: { runId: inner }, query, body: { verdict: 'skip' } });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'failed', compensation: { planned: 4, left: ['sub/deep/put'] } });
    expect(applied('unput', what)).toEqual(UNDONE.filter((each) => each !== ' sub deep'));
    expect((await nodeRunsOf(pawl, runId)).sub?.status).toBe('succeeded');
    await isSettled();
    pawl.ledger.decideBy((row) => (row.key.endsWith(':ship:0') ? refusing : undefined));
  });

  for (const outcome of ['letGo', 'breakOff'] as const)
    for (const [place, hold] of PLACES)
      it(`F1, F4, F9, V4: the worker dies ${place}; what it was at ${outcome === 'letGo' ? 'goes through after all' : 'is undone'}`, async () => {
        const held = await holdWrites(pawl, hold);
        const { runId, what } = await start(short);
        await held.waiting();
        const worker = pawl.workers.at(-1)!;
        worker.kill('SIGKILL');
        await worker.ended;
        await held[outcome]();
        await pawl.startWorker();
        const { run, events } = await endOf(pawl, runId);
        expect(run).toMatchObject({ status: 'failed', compensation: { planned: 1, left: [] } });
        expect(applied('unput', what)).toEqual([' sub']);
        const undoing = (type: string) =>
          events.filter((event) => event.type === type && event.path.endsWith('/undo'));
        expect(undoing('flow.started')).toHaveLength(1);
        expect(undoing('flow.ended')).toHaveLength(1);
        await isSettled();
      });
});

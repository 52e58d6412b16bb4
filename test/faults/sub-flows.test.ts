// Would catch: a run of a sub-flow without its parent or the other way round, an end or a cancel that never reaches the other run, by
// the death of whoever had to tell it.
import type { NodeConfig } from '@pawl/dag-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { backends } from '../support/backends.ts';
import { holdWrites } from '../support/hold-writes.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, journalOf, nodeRunsOf, publishFlow } from '../support/watch-run.ts';

const flowNode = (id: string, flow: string, more: object = {}) =>
  ({ id, kind: 'flow', flow, ...more }) as const;

/** The run of a sub-flow, once it was started. */
async function runBelow(pawl: PawlWithLedger, runId: string, path = 'sub'): Promise<string> {
  return (await eventOf(pawl, runId, 'flow.started', (event) => event.path === path)).data.runId;
}
const start = async (pawl: PawlWithLedger, flow: string, input: object = {}) =>
  (await pawl.client.startRun({ body: { flow, input: input as never } })).runId;
/** Nothing is left to be told, and every row is the fold of its journal. */
async function isSettled(pawl: PawlWithLedger): Promise<void> {
  await expect.poll(() => askDatabase(pawl, 'select * from word')).toEqual([]);
  expect(await pawl.rowsEqualFold()).toEqual([]);
}

describe.each(backends)('sub-flows, queue on %s', (queue) => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger({ queue, env: { PAWL_CONCURRENCY: '4' } });
    await publishFlow(pawl, [call('put', 'put', { args: { what: '{{ input.n }}' } })], {
      name: 'inner',
      input: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
      output: { doubled: '{{ input.n * 2 }}' },
    });
    await publishFlow(pawl, [{ id: 'w', kind: 'wait', signal: { name: 'go', key: '{{ run.id }}' } }], {
      name: 'waits',
    });
  });
  afterAll(() => pawl?.stop());

  it('K12, F3: a map runs a flow per item, each as a run of its own, and has their outputs', async () => {
    const flow = await publishFlow(
      pawl,
      [
        {
          id: 'each',
          kind: 'map',
          over: '{{ input.list }}',
          body: { nodes: [flowNode('sub', 'inner', { input: { n: '{{ item }}' } })], edges: [] },
        },
      ],
      { output: '{{ nodes.each.output.doubled }}' },
    );
    const runId = await start(pawl, flow, { list: [3, 2, 1] });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: [6, 4, 2] });
    expect(pawl.ledger.of({ op: 'put' })).toHaveLength(3);
    const { items } = await pawl.client.listRuns({ query: { parent: runId } });
    expect(items.map(({ parent, flow: name }) => ({ path: parent?.path, name })).reverse()).toEqual(
      expect.arrayContaining([0, 1, 2].map((i) => ({ path: `each/${i}/sub`, name: 'inner' }))),
    );
    const own = (await nodeRunsOf(pawl, runId))['each/1/sub'];
    expect(own?.subFlow).toMatchObject({
      flow: 'inner',
      runId: items.find((item) => item.parent?.path === 'each/1/sub')?.id,
    });
    const refused = await start(pawl, flow, { list: ['x'] });
    expect((await endOf(pawl, refused)).run.failure).toMatchObject({ code: 'input_invalid' });
    await isSettled(pawl);
  });

  it('F2, V15: a run says which run it waits for; a run that calls itself ends where its flow says so', async () => {
    const flow = await publishFlow(pawl, [flowNode('sub', 'waits')]);
    const runId = await start(pawl, flow);
    const below = await runBelow(pawl, runId);
    await eventOf(pawl, below, 'nodeRun.waiting');
    expect((await pawl.client.getRun({ params: { runId } })).waitingFor).toMatchObject({
      kind: 'flow',
      detail: { paths: ['sub'] },
    });
    expect((await nodeRunsOf(pawl, runId)).sub?.waitingFor).toMatchObject({
      kind: 'flow',
      detail: { run: below, flow: 'waits' },
    });
    expect((await pawl.client.getRun({ params: { runId: below } })).parent).toEqual({ runId, path: 'sub' });
    await pawl.client.sendSignal({ body: { name: 'go', key: below } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');

    const countdown = await publishFlow(
      pawl,
      [
        { id: 'more', kind: 'switch', cases: [{ port: 'yes', when: 'input.n > 0' }] },
        flowNode('sub', 'countdown', { input: { n: '{{ input.n - 1 }}' } }),
      ],
      { name: 'countdown', edges: [{ from: 'more', port: 'yes', to: 'sub' }], output: '{{ run.id }}' },
    );
    expect((await endOf(pawl, await start(pawl, countdown, { n: 3 }))).run.status).toBe('succeeded');
    const deep = await endOf(pawl, await start(pawl, countdown, { n: 99 }));
    expect(deep.run.failure).toMatchObject({ code: 'flow_nesting_limit' });
  });

  it('F5, C08: cancelling a run stops the runs below, and names one request in all of them', async () => {
    const each: NodeConfig = {
      id: 'each',
      kind: 'map',
      over: [1, 2],
      body: { nodes: [flowNode('sub', 'waits')], edges: [] },
    };
    const runId = await start(pawl, await publishFlow(pawl, [each]));
    const below = await Promise.all([0, 1].map((i) => runBelow(pawl, runId, `each/${i}/sub`)));
    await Promise.all(below.map((id) => eventOf(pawl, id, 'nodeRun.waiting')));
    await pawl.client.cancelRun({ params: { runId }, body: {} });
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('cancelled');
    const seq = events.find(({ type }) => type === 'run.cancelRequested')!.seq;
    for (const id of below) {
      expect((await pawl.client.getRun({ params: { runId: id } })).status).toBe('cancelled');
      const asked = (await journalOf(pawl, id)).find(({ type }) => type === 'run.cancelRequested');
      expect(asked?.data).toMatchObject({ by: 'parent', origin: { runId, seq } });
    }
    await isSettled(pawl);
  });

  it('F3, F5: a run below that fails fails the run above, and what else that had started is stopped', async () => {
    const runId = await start(
      pawl,
      await publishFlow(pawl, [flowNode('sub', 'waits'), flowNode('other', 'waits')], { edges: [] }),
    );
    const [below, other] = [await runBelow(pawl, runId), await runBelow(pawl, runId, 'other')];
    await eventOf(pawl, other, 'nodeRun.waiting');
    await pawl.client.cancelRun({ params: { runId: below }, body: {} });
    expect((await endOf(pawl, runId)).run).toMatchObject({
      status: 'failed',
      failure: { code: 'flow_cancelled', message: `The run ${below} of waits was cancelled.` },
    });
    expect((await pawl.client.getRun({ params: { runId: other } })).status).toBe('cancelled');
    await isSettled(pawl);
  });

  it('F7, T21, V6: the runs below spend from the budget of the run above, which pauses and warns for all', async () => {
    const says = (id: string): NodeConfig => ({ id, kind: 'llm', model: 'sim:writer', prompt: 'Say hello.' });
    await publishFlow(pawl, [says('one'), says('two')], { name: 'talks' });
    const flow = await publishFlow(pawl, [flowNode('sub', 'talks')], { budget: { modelCalls: 1 } });
    const runId = await start(pawl, flow);
    const below = await runBelow(pawl, runId);
    await eventOf(pawl, runId, 'run.statusChanged', ({ data }) => data.status === 'paused');
    await eventOf(pawl, below, 'run.statusChanged', ({ data }) => data.status === 'paused');
    expect(await pawl.client.getRun({ params: { runId } })).toMatchObject({
      waitingFor: { kind: 'budget' },
      budget: { spent: { modelCalls: 1 }, warned: ['modelCalls'] },
    });
    await pawl.client.raiseBudget({ params: { runId }, body: { limits: { modelCalls: 2 } } });
    const { run } = await endOf(pawl, runId);
    const { budget } = await pawl.client.getRun({ params: { runId: below } });
    expect(run).toMatchObject({ status: 'succeeded', budget: { spent: budget.spent } });
    expect(budget.spent.modelCalls).toBe(2);
    expect(run.budget.reserved.modelCalls).toBe(0);
    await isSettled(pawl);
  });

  it('F4, T15: a paused run holds up the runs below', async () => {
    const runId = await start(pawl, await publishFlow(pawl, [flowNode('sub', 'waits')]));
    const below = await runBelow(pawl, runId);
    await pawl.client.pauseRun({ params: { runId }, body: {} });
    await eventOf(pawl, below, 'run.statusChanged', ({ data }) => data.status === 'paused');
    expect((await pawl.client.getRun({ params: { runId: below } })).waitingFor).toMatchObject({
      kind: 'parent',
      detail: { run: runId },
    });
    await pawl.client.resumeRun({ params: { runId } });
    await eventOf(
      pawl,
      below,
      'run.statusChanged',
      ({ data }) => data.reason === 'parent' && data.status === 'running',
    );
    await pawl.client.sendSignal({ body: { name: 'go', key: below } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    await isSettled(pawl);
  });
});

/** Where the worker that is killed is: what is not written yet when it dies. */
const PLACES = [
  ['before it admitted the run below', { table: 'run', on: 'insert', when: 'new.parent_run_id is not null' }],
  ['before the run below had ended', { table: 'word', on: 'insert', when: 'new.is_up' }],
  [
    'before it told the end to the run above',
    { table: 'journal', on: 'insert', when: `new.type = 'flow.ended'` },
  ],
] as const;

describe('sub-flows when whoever is at them dies', () => {
  let pawl: PawlWithLedger;
  let flow: string;
  beforeAll(async () => {
    pawl = await startWithLedger();
    await publishFlow(pawl, [call('put', 'put')], { name: 'inner', output: '{{ run.id }}' });
    flow = await publishFlow(pawl, [flowNode('sub', 'inner'), call('after', 'put')], {
      output: '{{ nodes.sub.output }}',
    });
  });
  afterAll(() => pawl?.stop());
  beforeEach(() => pawl.needWorker());

  for (const outcome of ['letGo', 'breakOff'] as const)
    for (const [place, hold] of PLACES)
      it(`F1, F4: the worker dies ${place}; what it was at ${outcome === 'letGo' ? 'goes through after all' : 'is undone'}`, async () => {
        const held = await holdWrites(pawl, hold);
        const runId = await start(pawl, flow);
        await held.waiting();
        const worker = pawl.workers.at(-1)!;
        worker.kill('SIGKILL');
        await worker.ended;
        await held[outcome]();
        await pawl.startWorker();
        const { run, events } = await endOf(pawl, runId);
        const { items } = await pawl.client.listRuns({ query: { parent: runId } });
        expect(run).toMatchObject({ status: 'succeeded', output: items[0]?.id });
        expect(items).toMatchObject([{ status: 'succeeded' }]);
        expect(events.filter(({ type }) => type === 'flow.started')).toHaveLength(1);
        expect(events.filter(({ type }) => type === 'flow.ended')).toHaveLength(1);
        await isSettled(pawl);
      });
});

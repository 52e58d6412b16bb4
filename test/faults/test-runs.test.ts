// Would catch: a test run that reaches the world where nobody allowed it, that a dead worker makes do so, or that counts as one in earnest.
import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends } from '../support/backends.ts';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, journalOf, nodeRunsOf, publishFlow } from '../support/watch-run.ts';

const nodes: readonly NodeConfig[] = [
  { id: 'begin', kind: 'transform', value: { n: '{{ input.n }}' } },
  call('put', 'put', { args: { what: '{{ nodes.begin.output.n }}' } }),
  call('charge', 'charge', { args: { what: '{{ nodes.put.output.nonce }}' } }),
  {
    id: 'each',
    kind: 'map',
    over: '{{ [1, 2, 3] }}',
    body: {
      nodes: [
        call('pay', 'charge', { args: { what: '{{ item }}' } }),
        { id: 'paid', kind: 'transform', value: '{{ nodes.pay.output.nonce }}' },
      ],
      edges: [{ from: 'pay', to: 'paid' }],
    },
  },
  {
    id: 'end',
    kind: 'transform',
    value: { charged: '{{ nodes.charge.output.nonce }}', paid: '{{ nodes.each.output }}' },
  },
];

describe.each(backends)('test runs, queue on %s', (queue) => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger({ queue });
  });
  afterAll(() => pawl?.stop());

  let drawn = 0;
  /** A draft that nobody has published. */
  async function aDraft(more: Partial<FlowDocument> = {}): Promise<string> {
    const name = `draft-${++drawn}`;
    const edges = nodes.slice(1).map((node, i) => ({ from: nodes[i]!.id, to: node.id }));
    const document = { format: 'pawl/1', name, nodes, edges, ...more };
    await pawl.client.createFlow({ body: document as never });
    return name;
  }
  type Body = NonNullable<Parameters<typeof pawl.client.startTest>[0]>['body'];
  const test = (flow: string, body: Body) =>
    pawl.client.startTest({ params: { flow }, body: { input: { n: 7 }, ...body } });
  const asked = (runId: string) => pawl.ledger.of({ key: runId }).map(({ op }) => op);

  it('Y3, Y4: what is given is the outcome of its node run, and nothing is called for it', async () => {
    const flow = await aDraft();
    const { runId, plan } = await test(flow, {
      part: { do: 'all' },
      outputs: {
        charge: { origin: 'pinned', output: { nonce: 'pinned' } },
        pay: { origin: 'mocked', output: { nonce: 'mocked' } },
        'each/1/pay': { origin: 'mocked', output: { nonce: 'the second' } },
      },
    });
    expect(plan.nodes.map(({ node, does }) => `${node} ${does}`)).toEqual([
      ...[
        'begin computes',
        'put calls',
        'charge given',
        'each computes',
        'pay given',
        'paid computes',
        'end computes',
      ],
    ]);
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({
      mode: 'test',
      status: 'succeeded',
      output: { end: { charged: 'pinned', paid: ['mocked', 'the second', 'mocked'] } },
    });
    expect(asked(runId)).toEqual(['put']);
    const intents = events.filter(({ type }) => type === 'intent.recorded').map(({ path }) => path);
    expect(intents).toEqual(['put']);
    const { charge, 'each/1/pay': pay } = await nodeRunsOf(pawl, runId);
    expect(charge).toMatchObject({ status: 'succeeded', given: { origin: 'pinned' } });
    expect(pay).toMatchObject({ given: { origin: 'mocked' } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('Y4: what must not be repeated and was not allowed by name is refused, and nothing has started', async () => {
    const flow = await aDraft();
    const refused = test(flow, { part: { do: 'all' }, allow: ['charge'] });
    await expect(refused).rejects.toMatchObject({ code: 'effects_undecided', problem: { nodes: ['pay'] } });
    const { items } = await pawl.client.listRuns({ query: { flow } });
    expect(items).toEqual([]);
  });

  it('Y2: to a node runs what leads to it; from a node goes on from what an earlier run recorded', async () => {
    const flow = await aDraft();
    const first = await test(flow, { part: { do: 'to', node: 'put' } });
    await expect(endOf(pawl, first.runId)).resolves.toMatchObject({ run: { status: 'succeeded' } });
    expect(Object.keys(await nodeRunsOf(pawl, first.runId)).sort()).toEqual(['begin', 'put']);

    const { runId } = await test(flow, {
      part: { do: 'from', node: 'charge' },
      allow: ['charge'],
      off: ['pay'],
      outputs: { put: { origin: 'recorded', runId: first.runId } },
    });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(asked(runId)).toEqual(['charge']);
    const [put] = pawl.ledger.of({ key: `${first.runId}:put` });
    const [charge] = pawl.ledger.of({ key: `${runId}:charge` });
    expect(charge!.body.what).toBe(put!.at);
    const rows = await nodeRunsOf(pawl, runId);
    expect(Object.keys(rows).sort()).toEqual(['charge', 'put']);
    expect(rows.put).toMatchObject({ given: { origin: 'recorded', runId: first.runId, path: 'put' } });
  });

  it('Y2, Y3: only a node reads what is given behind it, also beyond nodes that do not run', async () => {
    const flow = await aDraft();
    const { runId } = await test(flow, {
      part: { do: 'only', node: 'end' },
      outputs: {
        charge: { origin: 'mocked', output: { nonce: 'c' } },
        each: { origin: 'mocked', output: ['x'] },
      },
    });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ output: { end: { charged: 'c', paid: ['x'] } } });
    expect(asked(runId)).toEqual([]);
  });

  it('Y2: only a node inside a map runs it for every item', async () => {
    const flow = await aDraft();
    const { runId } = await test(flow, { part: { do: 'only', node: 'pay' }, allow: ['pay'] });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(asked(runId)).toEqual(['charge', 'charge', 'charge']);
  });

  it('V1–V4: a worker that dies in the middle calls nothing that is given, and repeats nothing', async () => {
    const flow = await aDraft();
    const held = gate();
    pawl.ledger.decideBy((row) =>
      row.op === 'put' && row.body.what === 41 ? { hold: held.opened, appliesFirst: true } : undefined,
    );
    const { runId } = await test(flow, {
      input: { n: 41 },
      part: { do: 'all' },
      outputs: {
        charge: { origin: 'mocked', output: { nonce: 'm' } },
        pay: { origin: 'mocked', output: { nonce: 'p' } },
      },
    });
    await pawl.ledger.arrived(1, { key: `${runId}:put` });
    await pawl.replaceWorkers();
    held.open();
    pawl.ledger.decideBy(undefined);
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({
      status: 'succeeded',
      output: { end: { charged: 'm', paid: ['p', 'p', 'p'] } },
    });
    expect(new Set(asked(runId))).toEqual(new Set(['put']));
    expect([...pawl.ledger.effects({ key: runId }).values()]).toEqual([1]);
    const journal = await journalOf(pawl, runId);
    expect(
      journal.filter(({ type, path }) => type === 'outcome.succeeded' && path === 'charge'),
    ).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('Y1: a test run is told apart, counts for nothing, and what it ran cannot be started', async () => {
    const flow = await aDraft();
    const { runId, versionId } = await test(flow, { part: { do: 'to', node: 'begin' } });
    await endOf(pawl, runId);
    const listed = async (mode: 'live' | 'test') =>
      (await pawl.client.listRuns({ query: { flow, mode } })).items.map(({ id }) => id);
    expect(await listed('test')).toEqual([runId]);
    expect(await listed('live')).toEqual([]);
    const { items } = await pawl.client.listFlows();
    expect(items.find(({ name }) => name === flow)).toMatchObject({
      versionCount: 0,
      recent: { runs: [], ended: 0, succeeded: 0 },
    });
    expect((await pawl.client.listVersions({ params: { flow } })).items).toEqual([]);
    const version = await pawl.client.getVersion({ params: { flow, versionId } });
    expect(version.document.test).toMatchObject({ part: { do: 'to', node: 'begin' } });
    await expect(pawl.client.startRun({ body: { flow, version: versionId } })).rejects.toMatchObject({
      code: 'version_not_found',
    });
  });

  it('Y1, Y4: a flow that a node runs is allowed by name like what it calls, and its run is a test as well', async () => {
    const inner = await publishFlow(pawl, [call('charge', 'charge')], { name: `inner-${queue}` });
    const above: NodeConfig = { id: 'below', kind: 'flow', flow: `${inner}@latest` };
    const flow = await aDraft({ nodes: [above], edges: [] });
    await expect(test(flow, { part: { do: 'all' } })).rejects.toMatchObject({ code: 'effects_undecided' });
    const { runId } = await test(flow, { part: { do: 'all' }, allow: ['below'] });
    expect((await endOf(pawl, runId)).run).toMatchObject({ status: 'succeeded', mode: 'test' });
    const { items } = await pawl.client.listRuns({ query: { parent: runId } });
    expect(items).toMatchObject([{ flow: inner, mode: 'test' }]);
    expect(asked(items[0]!.id)).toEqual(['charge']);
    const given = await test(flow, {
      part: { do: 'all' },
      outputs: { below: { origin: 'mocked', output: 'as if' } },
    });
    expect((await endOf(pawl, given.runId)).run).toMatchObject({ output: { below: 'as if' } });
    expect((await pawl.client.listRuns({ query: { parent: given.runId } })).items).toEqual([]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('Y6: what does not take part may be unfinished', async () => {
    const flow = await aDraft({
      nodes: [...nodes, { id: 'later', kind: 'llm' } as unknown as NodeConfig],
      edges: [{ from: 'begin', to: 'later' }],
    });
    const { runId } = await test(flow, { part: { do: 'only', node: 'begin' } });
    expect((await endOf(pawl, runId)).run).toMatchObject({ status: 'succeeded' });
    await expect(test(flow, { part: { do: 'to', node: 'later' } })).rejects.toMatchObject({
      code: 'test_invalid',
    });
  });

  it('V14: a run of another flow has nothing to give', async () => {
    const [one, other] = [await aDraft(), await aDraft()];
    const { runId } = await test(one, { part: { do: 'to', node: 'begin' } });
    await endOf(pawl, runId);
    const body = {
      part: { do: 'all' },
      outputs: { begin: { origin: 'recorded', runId } },
      off: ['charge', 'pay'],
    } as const;
    await expect(test(other, body)).rejects.toMatchObject({ code: 'test_output_missing' });
  });
});

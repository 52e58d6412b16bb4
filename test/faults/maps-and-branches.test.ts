// Would catch: "all of nothing" taken for done, results in the order of completion, a join that never or twice fires, a parent that
// waits for children for ever.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gate, gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, nodeRunsOf, startFlow } from '../support/watch-run.ts';

describe('maps, branches and joins', () => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger();
  });
  afterAll(() => pawl?.stop());

  it('C16: two maps over nothing and a sum of it succeed, without a child row', async () => {
    const runId = await startFlow(
      pawl,
      [
        {
          id: 'first',
          kind: 'map',
          over: '{{ input.list }}',
          body: { nodes: [call('put', 'put')], edges: [] },
        },
        {
          id: 'second',
          kind: 'map',
          over: '{{ nodes.first.output }}',
          body: { nodes: [call('put2', 'put')], edges: [] },
        },
        {
          id: 'sum',
          kind: 'code',
          source: 'export default ({ nodes }) => nodes.second.output.reduce((a, b) => a + b, 0)',
        },
      ],
      { start: { list: [] } },
    );
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { sum: 0 } });
    expect(Object.keys(await nodeRunsOf(pawl, runId)).sort()).toEqual(['first', 'second', 'sum']);
    expect(pawl.ledger.of({ key: runId })).toEqual([]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  const ordered = [
    {
      id: 'each',
      kind: 'map',
      over: '{{ [300, 200, 100, 0] }}',
      concurrency: 4,
      body: { nodes: [call('put', 'put', { args: { what: '{{ item }}' } })], edges: [] },
      output: '{{ nodes.put.output.what }}',
    },
  ] as const;

  /** Holds the items of a map, each until it is let go by name. */
  function holdItems(): Map<number, Gate> {
    const gates = new Map([300, 200, 100, 0].map((item) => [item, gate()]));
    pawl.ledger.decideBy((row) => ({ hold: gates.get(row.body.what as number)!.opened }));
    return gates;
  }

  it('C17 E7: outputs keep the order of the input when items end in the opposite order', async () => {
    const gates = holdItems();
    const runId = await startFlow(pawl, ordered);
    await pawl.ledger.arrived(4, { key: runId });
    for (const item of [0, 100, 200, 300]) {
      gates.get(item)!.open();
      await pawl.ledger.of({ key: runId }).find((row) => row.body.what === item)!.closed;
    }
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { each: [300, 200, 100, 0] } });
    pawl.ledger.decideBy(undefined);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C17 E7: and when the worker dies with half of the items done; each keeps its number and its effect is one', async () => {
    const gates = holdItems();
    const runId = await startFlow(pawl, ordered);
    await pawl.ledger.arrived(4, { key: runId });
    gates.get(0)!.open();
    gates.get(200)!.open();
    for await (const signal of pawl.client.runEvents(runId)) {
      if (signal.kind !== 'event' || signal.event.type !== 'outcome.succeeded') continue;
      if (['each/1', 'each/3'].includes(signal.event.path)) break;
    }
    const dying = pawl.workers.at(-1)!;
    dying.kill('SIGKILL');
    await dying.ended;
    for (const held of gates.values()) held.open();
    await pawl.startWorker();
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { each: [300, 200, 100, 0] } });
    const items = events.flatMap((event) =>
      event.type === 'outcome.succeeded' && /^each\/\d+$/.test(event.path)
        ? [[event.path, event.data.output]]
        : [],
    );
    expect(items.sort()).toEqual([
      ['each/0', 300],
      ['each/1', 200],
      ['each/2', 100],
      ['each/3', 0],
    ]);
    for (const count of pawl.ledger.effects({ key: runId }).values()) expect(count).toBe(1);
    pawl.ledger.decideBy(undefined);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  const branch = (prefix: string) => ({
    nodes: [
      { id: `${prefix}s`, kind: 'switch', cases: [{ port: 'yes', when: 'input.yes' }] },
      { id: `${prefix}a`, kind: 'transform', value: 'A' },
      { id: `${prefix}b`, kind: 'transform', value: 'B' },
      { id: `${prefix}j`, kind: 'join' },
      { id: `${prefix}c`, kind: 'transform', value: `{{ nodes.${prefix}j.output }}` },
    ] as const,
    edges: [
      { from: `${prefix}s`, port: 'yes', to: `${prefix}a` },
      { from: `${prefix}s`, port: 'default', to: `${prefix}b` },
      { from: `${prefix}a`, to: `${prefix}j` },
      { from: `${prefix}b`, to: `${prefix}j` },
      { from: `${prefix}j`, to: `${prefix}c` },
    ],
  });

  it('C19: a join behind a branch runs once, knows what was skipped, and the flow goes on; nested too', async () => {
    const outer = branch('o');
    const inner = branch('i');
    const runId = await startFlow(pawl, [...outer.nodes, ...inner.nodes], {
      start: { yes: true },
      // The inner shape stands between the outer A and the outer join.
      edges: [
        ...outer.edges.filter(({ from }) => from !== 'oa'),
        { from: 'oa', to: 'is' },
        ...inner.edges,
        { from: 'ic', to: 'oj' },
      ],
    });
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({
      status: 'succeeded',
      output: { oc: { outputs: { ic: { outputs: { ia: 'A' }, skipped: ['ib'] } }, skipped: ['ob'] } },
    });
    const nodes = await nodeRunsOf(pawl, runId);
    expect([nodes.ob!.status, nodes.ib!.status]).toEqual(['skipped', 'skipped']);
    for (const join of ['oj', 'ij'])
      expect(events.filter(({ type, path }) => type === 'outcome.succeeded' && path === join)).toHaveLength(
        1,
      );
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  const failing = (onItemError: 'collect' | 'skip' | 'fail', concurrency: number) =>
    ({
      id: 'each',
      kind: 'map',
      over: '{{ [1, 2, 3, 4, 5] }}',
      concurrency,
      onItemError,
      body: { nodes: [call('put', 'put', { args: { what: '{{ item }}' } })], edges: [] },
      output: '{{ nodes.put.output.what }}',
    }) as const;

  it('C44 (a): a map that collects ends with four values and one error; one that skips with four values', async () => {
    pawl.ledger.decideBy((row) =>
      row.body.what === 3 ? { status: 422, message: 'three is refused' } : undefined,
    );
    const collecting = await endOf(pawl, await startFlow(pawl, [failing('collect', 5)]));
    expect(collecting.run.status).toBe('partial');
    expect(collecting.run.output).toMatchObject({
      each: [
        1,
        2,
        { failure: { code: 'http_422', message: expect.stringContaining('three is refused') } },
        4,
        5,
      ],
    });
    const skipping = await endOf(pawl, await startFlow(pawl, [failing('skip', 5)]));
    expect(skipping.run).toMatchObject({ status: 'partial', output: { each: [1, 2, 4, 5] } });
    pawl.ledger.decideBy(undefined);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C44 (b) E9: a map that fails fast starts nothing more, cancels what has not begun, and the run fails', async () => {
    pawl.ledger.decideBy((row) => (row.body.what === 3 ? { status: 422 } : undefined));
    const runId = await startFlow(pawl, [failing('fail', 1), { id: 'after', kind: 'transform', value: 1 }]);
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'failed', failure: { code: 'http_422' } });
    expect(run.failure!.message).toMatch(/Item 2/);
    expect(pawl.ledger.of({ key: runId }).map((row) => row.body.what)).toEqual([1, 2, 3]);
    const nodes = await nodeRunsOf(pawl, runId);
    expect(nodes.each!.status).toBe('failed');
    for (const node of Object.values(nodes)) expect(node.waitingFor).toBeUndefined();
    pawl.ledger.decideBy(undefined);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C44 (b) E9: items that run when another fails end by themselves and are waited for', async () => {
    const held = gate();
    pawl.ledger.decideBy((row) => (row.body.what === 3 ? { status: 422 } : { hold: held.opened }));
    const runId = await startFlow(pawl, [failing('fail', 5)]);
    await pawl.ledger.arrived(5, { key: runId });
    await pawl.ledger.of({ key: runId }).find((row) => row.body.what === 3)!.closed;
    held.open();
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('failed');
    expect(
      events.filter(({ type, path }) => type === 'outcome.succeeded' && path.endsWith('/put')),
    ).toHaveLength(4);
    pawl.ledger.decideBy(undefined);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});

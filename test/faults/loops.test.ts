// Would catch: a turn whose effect happens twice or never after a crash, a loop that forgets what its last turn gave, containers that
// mix up their items when they stand inside each other.
import type { NodeConfig } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, journalOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

const loop = (
  nodes: readonly NodeConfig[],
  more: Partial<Extract<NodeConfig, { kind: 'loop' }>> = {},
): NodeConfig => ({
  id: 'again',
  kind: 'loop',
  until: 'index = 2',
  body: { nodes, edges: nodes.slice(1).map((node, i) => ({ from: nodes[i]!.id, to: node.id })) },
  ...more,
});

const shape = (id: string, value: string, more: object = {}): NodeConfig => ({
  id,
  kind: 'transform',
  value,
  ...more,
});

describe.each(['redis', 'postgres'] as const)('loops, doorbells on %s', (queue) => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger({ queue });
  });
  afterAll(() => pawl?.stop());

  it('K15: a turn gets what the one before gave; the loop gives what its last turn gave', async () => {
    const runId = await startFlow(
      pawl,
      [
        shape('start', '{{ input.n }}'),
        loop([shape('double', '{{ (item ?? nodes.start.output) * 2 }}')], {
          until: 'nodes.double.output > 100',
        }),
        shape('after', '{{ nodes.again.output + 1 }}'),
      ],
      { start: { n: 7 } },
    );
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { after: 113 } });
    const turns = events.filter(({ type }) => type === 'loop.continued').map(({ data }) => data);
    expect(turns).toMatchObject([{ turn: 0 }, { turn: 1 }, { turn: 2 }, { turn: 3 }]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K15: a thousand turns of pure nodes, with an output template that is the next turn’s item', async () => {
    const runId = await startFlow(pawl, [
      loop([shape('sum', '{{ (item.sum ?? 0) + index }}')], {
        until: 'index = 999',
        maxIterations: 1_000,
        output: { sum: '{{ nodes.sum.output }}', before: '{{ item.sum ?? null }}' } as never,
      }),
    ]);
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { again: { sum: 499_500, before: 498_501 } } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K15: maxIterations fails the loop by its name, or lets it go on degraded', async () => {
    const body = [shape('x', '{{ index }}')];
    const failing = await endOf(
      pawl,
      await startFlow(pawl, [loop(body, { until: 'false', maxIterations: 3 })]),
    );
    expect(failing.run).toMatchObject({ status: 'failed', failure: { code: 'loop_limit' } });
    expect(failing.run.failure!.message).toContain('again');
    const going = await startFlow(pawl, [
      loop(body, { until: 'false', maxIterations: 3, onMaxIterations: 'continue' }),
    ]);
    expect((await endOf(pawl, going)).run).toMatchObject({
      status: 'partial',
      output: { again: 2 },
      degraded: [{ path: 'again' }],
    });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('X6: what a turn draws at random differs from turn to turn, and so does what ends the loop', async () => {
    const runId = await startFlow(pawl, [
      loop([shape('x', '{{ $random() }}')], {
        until: '$random() < 0.2',
        output: '{{ $append(item ?? [], nodes.x.output) }}',
      }),
    ]);
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    const drawn = (run.output as { again: number[] | number }).again;
    const list = Array.isArray(drawn) ? drawn : [drawn];
    expect(new Set(list).size).toBe(list.length);
    expect(list).toHaveLength(events.filter(({ type }) => type === 'loop.continued').length);
  });

  it('V4, V5, E12: killed in each turn before and after its effect; each turn has one effect under a key of its own', async () => {
    const turns = [0, 1, 2];
    for (const appliesFirst of [false, true]) {
      const held = gate();
      let left = 2;
      pawl.ledger.decideBy(({ op }) =>
        op === 'put' && --left === 0
          ? { hold: held.opened, cut: 'before', ...(appliesFirst && { appliesFirst: true }) }
          : undefined,
      );
      const runId = await startFlow(pawl, [
        loop([call('put', 'put', { args: { what: '{{ [index, item ?? null] }}' } })], {
          output: '{{ nodes.put.output.what[0] }}',
        }),
      ]);
      await pawl.ledger.arrived(2, { key: runId });
      const dying = pawl.workers.at(-1)!;
      dying.kill('SIGKILL');
      await dying.ended;
      pawl.ledger.decideBy(undefined);
      held.open();
      await pawl.startWorker();
      const { run } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'succeeded', output: { again: 2 } });
      expect(pawl.ledger.effects({ key: runId })).toEqual(
        new Map(turns.map((turn) => [`${runId}:again/${turn}/put:0`, 1])),
      );
      const applied = pawl.ledger.of({ key: runId }).filter((row) => row.isApplied);
      expect(applied.map((row) => row.body.what)).toEqual([
        [0, null],
        [1, 0],
        [2, 1],
      ]);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  /** A map of loops of maps: three items, two turns each, over lists that grow. */
  const nested = (inner: object = {}, outer: object = {}): NodeConfig[] => [
    {
      id: 'outer',
      kind: 'map',
      over: '{{ [10, 20, 30] }}',
      concurrency: 2,
      body: {
        nodes: [
          shape('base', '{{ item }}'),
          loop(
            [
              {
                id: 'inner',
                kind: 'map',
                over: '{{ [0..index].($ + $$.nodes.base.output) }}',
                concurrency: 1,
                body: { nodes: [call('put', 'put', { args: { what: '{{ item }}' } })], edges: [] },
                output: '{{ nodes.put.output.what }}',
                ...inner,
              },
            ],
            {
              until: 'index = 1',
              output: {
                turn: '{{ index }}',
                got: '{{ nodes.inner.output }}',
                before: '{{ item ?? null }}',
              } as never,
            },
          ),
        ],
        edges: [{ from: 'base', to: 'again' }],
      },
      output: { of: '{{ item }}', last: '{{ nodes.again.output }}' },
      ...outer,
    },
  ];

  it('E7, E12, C86: maps in loops in maps keep their items, turns and windows apart', async () => {
    const runId = await startFlow(pawl, nested());
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({
      status: 'succeeded',
      output: {
        outer: [10, 20, 30].map((of) => ({
          of,
          last: { turn: 1, got: [of, of + 1], before: { turn: 0, got: [of], before: null } },
        })),
      },
    });
    const nodes = await nodeRunsOf(pawl, runId);
    const items = (path: string) =>
      Object.keys(nodes).filter((other) => new RegExp(`^${path}/\\d+$`).test(other)).length;
    expect([items('outer'), items('outer/0/again'), items('outer/2/again/1/inner')]).toEqual([3, 2, 2]);
    expect(nodes['outer/2/again/1/inner/1']).toMatchObject({ kind: 'item', nodeId: 'inner', itemIndex: 1 });
    // A window of one: no item's call is sent before the one before has been answered.
    const seqOf = (type: string, path: string) =>
      events.find((event) => event.type === type && event.path === path)!.seq;
    expect(seqOf('intent.recorded', 'outer/0/again/1/inner/1/put')).toBeGreaterThan(
      seqOf('outcome.succeeded', 'outer/0/again/1/inner/0/put'),
    );
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it.each([
    ['collect', 'partial'],
    ['skip', 'partial'],
    ['fail', 'failed'],
  ] as const)(
    'E7, C44: a failed item of the innermost map with onItemError: %s',
    async (onItemError, status) => {
      pawl.ledger.decideBy((row) => (row.body.what === 21 ? { status: 422 } : undefined));
      const runId = await startFlow(pawl, nested({ onItemError }));
      const { run } = await endOf(pawl, runId);
      pawl.ledger.decideBy(undefined);
      expect(run.status).toBe(status);
      if (onItemError === 'fail')
        expect(run.failure!.message).toMatch(/^Item 1 failed: Turn 1 failed: Item 1 failed: /);
      else {
        const failed =
          onItemError === 'collect' ? [{ failure: expect.objectContaining({ code: 'http_422' }) }] : [];
        expect((run.output as { outer: unknown[] }).outer[1]).toMatchObject({
          last: { got: [20, ...failed] },
        });
      }
      const nodeRuns = Object.values(await nodeRunsOf(pawl, runId));
      for (const node of nodeRuns) expect([node.path, node.waitingFor]).toEqual([node.path, undefined]);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    },
  );

  it('E7: an outer map that collects goes on with its other items when a loop in one fails', async () => {
    pawl.ledger.decideBy((row) => (row.body.what === 21 ? { status: 422 } : undefined));
    const runId = await startFlow(pawl, nested({}, { onItemError: 'skip', concurrency: 1 }));
    const { run } = await endOf(pawl, runId);
    pawl.ledger.decideBy(undefined);
    expect(run.status).toBe('partial');
    expect((run.output as { outer: { of: number }[] }).outer.map(({ of }) => of)).toEqual([10, 30]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('E8: a node run that follows a failure by the error port reads it, also when both are computed at once', async () => {
    const runId = await startFlow(
      pawl,
      [
        shape('bad', '{{ input.gone }}', { onError: { do: 'continue' } }),
        shape('why', '{{ nodes.bad.failure.code }} {{ nodes.bad.status }}'),
        shape('instead', '{{ input.gone }}', { onError: { do: 'fallback', value: 'F' } }),
        shape('got', '{{ nodes.instead.output }}'),
      ],
      {
        edges: [
          { from: 'bad', port: 'error', to: 'why' },
          { from: 'instead', to: 'got' },
        ],
        start: {},
      },
    );
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({
      status: 'partial',
      output: { why: 'expression_empty failed', got: 'F' },
    });
    expect((await journalOf(pawl, runId)).length).toBeGreaterThan(0);
  });
});

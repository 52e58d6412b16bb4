// Which mistake would this catch? A sub-flow that is shown as of another moment or of another item, a failure inside one that is not named,
// and runs that are read although nobody looks at them.
import type { FlowDocument } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { everyNode } from '../../../src/editor/index.ts';
import { failedIn } from '../../../src/run/failed-in.ts';
import type { RunHistory } from '../../../src/run/history.ts';
import { openedFlow } from '../../../src/run/opened-flow.ts';
import { everySub, type RunView, runAtWay, type ShownRun, showRuns } from '../../../src/run/shown-runs.ts';
import { stepIn, stepOut } from '../../../src/run/step.ts';
import { failed, gave, historyOf, type Told } from '../comparing-runs/journals.ts';

const flow = (
  name: string,
  nodes: FlowDocument['nodes'],
  more: Partial<FlowDocument> = {},
): FlowDocument => ({
  format: 'pawl/1',
  name,
  nodes,
  edges: [],
  ...more,
});
const runs = (id: string, name: string) => ({ id, kind: 'flow', flow: `${name}@latest` }) as const;
const started = (path: string, runId: string, name: string): Told => [
  path,
  'flow.started',
  { runId, flow: name, versionId: name },
];

const pay = flow('pay', [{ id: 'charge', kind: 'transform', value: 1 }]);
const bill = flow(
  'bill',
  [
    { id: 'sum', kind: 'transform', value: 1 },
    { ...runs('card', 'pay'), title: 'Take the card' },
  ],
  { edges: [{ from: 'sum', to: 'card' }], layout: { sum: { x: 40, y: 90 }, card: { x: 340, y: 120 } } },
);
const order = flow('order', [
  { ...runs('bill', 'bill'), title: 'Send bill' },
  { id: 'thank', kind: 'transform', value: 1 },
]);

const paid = historyOf(pay, {}, [
  failed('charge', 'blocked'),
  ['', 'run.statusChanged', { status: 'failed' }],
]);
const billed = historyOf(bill, {}, [
  gave('sum', 1),
  started('card', 'paid', 'pay'),
  failed('card', 'blocked'),
]);
const ordered = historyOf(order, {}, [started('bill', 'billed', 'bill'), failed('bill', 'blocked')]);
const all: Record<string, RunHistory> = { paid, billed };

const shownOf = (history: RunHistory, view: Partial<RunView> = {}, known = all) => {
  const asked: string[] = [];
  const root = showRuns(
    { runId: 'top', history, work: undefined },
    { selected: '', open: [], ...view },
    ({ runId }) => {
      asked.push(runId);
      const found = known[runId];
      return found && { phase: 'ended', history: found, lastSeq: found.lastSeq };
    },
  );
  return { root, asked };
};
const placesOf = (root: ShownRun) => everySub(root).map(({ place }) => place);
const idsOf = (root: ShownRun) => [...everyNode(openedFlow(root))].map(({ node }) => node.id);

describe('the sub-flows of a run', () => {
  it('that failed stand open, and the cause is named through all of them', () => {
    const { root } = shownOf(ordered);
    expect(placesOf(root)).toEqual(['bill', 'bill//card']);
    expect(failedIn(root, 'bill')).toMatchObject({
      way: 'bill//card//charge',
      names: ['Send bill', 'Take the card', 'charge'],
      failure: { code: 'blocked', class: 'permanent' },
    });
  });

  it('that a person closed are not drawn, and the cause of the failure is still read', () => {
    const { root } = shownOf(ordered, { open: ['-bill'] });
    expect(idsOf(root)).toEqual(['bill', 'thank']);
    expect(failedIn(root, 'bill')?.way).toBe('bill//card//charge');
  });

  it('are drawn inside their nodes, with ids of their own, behind the head and the rim', () => {
    const { root } = shownOf(ordered);
    expect(idsOf(root)).toEqual(['bill', 'thank', 'bill//sum', 'bill//card', 'bill//card//charge']);
    const { layout, nodes } = openedFlow(root);
    expect(layout).toMatchObject({ 'bill//sum': { x: 24, y: 56 }, 'bill//card': { x: 324, y: 86 } });
    expect(nodes[0]).toMatchObject({ body: { edges: [{ from: 'bill//sum', to: 'bill//card' }] } });
  });

  it('that did well are read when one is opened or something in it is selected, and not before', () => {
    const well = historyOf(order, {}, [started('bill', 'fine', 'bill'), gave('bill', 1)]);
    const fine = historyOf(bill, {}, [gave('sum', 1), started('card', 'paid', 'pay'), gave('card', 1)]);
    const known = { fine, paid: historyOf(pay, {}, [gave('charge', 1)]) };
    expect(shownOf(well, {}, known).asked).toEqual([]);
    expect(shownOf(well, { open: ['bill'] }, known).asked).toEqual(['fine']);
    const { root, asked } = shownOf(well, { selected: 'bill//card//charge' }, known);
    expect(asked).toEqual(['fine', 'paid']);
    expect(runAtWay(root, 'bill//card')?.place).toBe('bill//card');
  });

  it('show what had happened in them by the time of the cursor', () => {
    // Each journal of these has an event a second, from the same second on.
    const { root } = shownOf(ordered, { cursor: { seq: 2, afterMs: 0 }, open: ['bill'] });
    const sub = runAtWay(root, 'bill')!;
    expect(sub.seq).toBe(2);
    expect(sub.history.nodeRunAt('sum', sub.seq)?.status).toBe('succeeded');
    expect(sub.history.nodeRunAt('card', sub.seq)?.status).not.toBe('failed');
    const later = shownOf(ordered, { cursor: { seq: 2, afterMs: 1_000 }, open: ['bill'] });
    expect(runAtWay(later.root, 'bill')!.seq).toBe(3);
    const before = shownOf(ordered, { cursor: { seq: 1, afterMs: 0 }, open: ['bill'] });
    expect(before.asked).toEqual([]);
  });

  it('of a node that was tried again are the run of its last try then', () => {
    const again = historyOf(order, {}, [
      started('bill', 'first', 'bill'),
      failed('bill', 'blocked', 'retry'),
      ['bill', 'nodeRun.resumed', { reason: 'timer' }],
      started('bill', 'second', 'bill'),
    ]);
    expect(shownOf(again, { open: ['bill'] }, {}).asked).toEqual(['second']);
    const cursor = { seq: 3, afterMs: 0 };
    expect(shownOf(again, { open: ['bill'], cursor }, {}).asked).toContain('first');
  });

  it('in a map are read for the item that is shown, of a thousand', () => {
    const body = { nodes: [runs('bill', 'bill')], edges: [] };
    const each = flow('each', [
      { id: 'each', kind: 'map', over: '{{ input }}', onItemError: 'collect', concurrency: 1_000, body },
    ]);
    const items = Array.from({ length: 1_000 }, (_, index) => index);
    const mapped = historyOf(each, items, [
      ['each', 'map.expanded', { count: 1_000, itemsHash: 'x' }],
      ...items.map((index) => started(`each/${index}/bill`, `run-${index}`, 'bill')),
      failed('each/7/bill', 'blocked'),
      failed('each/7', 'blocked', 'continue'),
    ]);
    expect(new Set(shownOf(mapped, {}, {}).asked)).toEqual(new Set(['run-7']));
    const chosen = shownOf(mapped, { selected: 'each/9', open: ['bill'] }, {});
    expect(new Set(chosen.asked)).toEqual(new Set(['run-9']));
    expect(new Set(shownOf(mapped, { selected: 'each/9' }, {}).asked)).toEqual(new Set());
  });

  it('are opened at most five at a time when nobody asked', () => {
    const many = flow(
      'many',
      Array.from({ length: 8 }, (_, index) => runs(`n${index}`, 'bill')),
    );
    const told = many.nodes.flatMap(({ id }) => [
      started(id, `run-${id}`, 'bill'),
      failed(id, 'x', 'continue'),
    ]);
    expect(placesOf(shownOf(historyOf(many, {}, told), {}, {}).root)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  });
});

describe('steps by keys', () => {
  it('go into a sub-flow, which opens it before, and out of it', () => {
    const closed = shownOf(ordered, { open: ['-bill'], selected: 'bill' }).root;
    expect(stepIn(closed, 'bill')).toMatchObject({ open: { path: 'bill' } });
    const { root } = shownOf(ordered, { selected: 'bill' });
    expect(stepIn(root, 'bill')).toEqual({ select: 'bill//sum' });
    expect(stepOut(root, 'bill//card//charge')).toBe('bill//card');
    expect(stepOut(root, 'bill//sum')).toBe('bill');
    expect(stepOut(root, 'bill')).toBeUndefined();
    expect(stepIn(root, 'thank')).toBeUndefined();
  });
});

// Which mistake would this catch? A picture of two versions that loses a node of one of them, or marks the wrong one.
import type { FlowDocument } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../src/comparing-runs/compare-runs.ts';
import { comparisonRows } from '../../../src/comparing-runs/comparison-rows.ts';
import { nodeMarks, pairOfNode } from '../../../src/comparing-runs/node-marks.ts';
import { unionFlow } from '../../../src/comparing-runs/union-flow.ts';
import { aRun, gave, type Told } from './journals.ts';

const left: FlowDocument = {
  format: 'pawl/1',
  name: 'f',
  nodes: [
    {
      id: 'each',
      kind: 'map',
      over: '{{ input }}',
      body: { nodes: [{ id: 'one', kind: 'transform', value: '{{ item }}' }], edges: [] },
    },
    { id: 'gone', kind: 'transform', value: 1 },
  ],
  edges: [{ from: 'each', to: 'gone' }],
  layout: { each: { x: 0, y: 0 } },
};
const right: FlowDocument = {
  ...left,
  nodes: [
    {
      id: 'each',
      kind: 'map',
      over: '{{ input }}',
      body: {
        nodes: [
          { id: 'one', kind: 'transform', value: '{{ item }}' },
          { id: 'two', kind: 'transform', value: 2 },
        ],
        edges: [{ from: 'one', to: 'two' }],
      },
    },
    { id: 'come', kind: 'transform', value: 'other' },
  ],
  edges: [{ from: 'each', to: 'come' }],
};
const items = (parts: readonly string[], end: readonly Told[]): readonly Told[] => [
  ['each', 'map.expanded', { count: 2, itemsHash: 'x' }],
  ...[0, 1].flatMap((at) => [...parts.map((part) => gave(`each/${at}/${part}`, 2)), gave(`each/${at}`, 2)]),
  gave('each', [2, 2]),
  ...end,
];

describe('one picture of two versions', () => {
  it('holds the nodes and edges of both, inside containers as well', () => {
    const union = unionFlow(left, right, new Map());
    expect(union.nodes.map(({ id }) => id)).toEqual(['each', 'gone', 'come']);
    expect(union.nodes[0]).toMatchObject({
      body: { nodes: [{ id: 'one' }, { id: 'two' }], edges: [{ from: 'one' }] },
    });
    expect(union.edges).toEqual([
      { from: 'each', to: 'gone' },
      { from: 'each', to: 'come' },
    ]);
    expect(union.layout, 'placed anew').toEqual({});
    expect(unionFlow(left, left, new Map()).layout).toEqual(left.layout);
  });

  it('marks each node as its node runs fared, and leads to one of them', async () => {
    const comparison = compareRuns(
      await aRun(left, [1, 2], items(['one'], [gave('gone', 1)])),
      await aRun(right, [1, 2], items(['one', 'two'], [gave('come', 'other')])),
    );
    expect(Object.fromEntries(nodeMarks(comparison))).toMatchObject({
      one: 'same',
      two: 'first',
      gone: 'left',
      come: 'right',
    });
    expect(pairOfNode(comparison, 'two')).toBe('each/0/two');
    expect(pairOfNode(comparison, 'never')).toBeUndefined();
  });

  it('lists what differs inside containers, and what is the same only when asked', async () => {
    const comparison = compareRuns(
      await aRun(left, [1, 2], items(['one'], [])),
      await aRun(right, [1, 2], items(['one', 'two'], [])),
    );
    const paths = (isAll: boolean) => comparisonRows(comparison, isAll).map(({ pair }) => pair.path);
    expect(paths(false)).toEqual(['each', 'each/0/two', 'each/1/two', 'gone', 'come']);
    expect(paths(true)).toContain('each/1/one');
  });
});

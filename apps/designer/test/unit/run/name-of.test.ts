// Which mistake would this catch? Two node runs in one list that are called the same.
import type { FlowDocument } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { nameOf } from '../../../src/run/name-of.ts';
import { gave, historyOf } from '../comparing-runs/journals.ts';

const shop: FlowDocument = {
  format: 'pawl/1',
  name: 'shop',
  nodes: [
    {
      id: 'each',
      kind: 'map',
      title: 'Each order',
      over: '{{ input }}',
      body: { nodes: [{ id: 'sum', kind: 'transform', title: 'Add it up', value: 1 }], edges: [] },
    },
    {
      id: 'desk',
      kind: 'agent',
      title: 'Desk',
      model: 'sim:a',
      prompt: 'x',
      tools: [{ tool: 'a@1', name: 'find' }],
    },
    { id: 'pay', kind: 'tool', title: 'Charge', tool: 'charge@1' },
  ],
  edges: [],
};
const history = historyOf(
  shop,
  [1, 2],
  [['each', 'map.expanded', { count: 2, itemsHash: 'x' }], gave('each/1/sum', 1)],
);

describe('a node run is called', () => {
  it.each([
    ['each', 'Each order'],
    ['each/1', 'each/1'],
    ['each/1/sum', 'each/1 / Add it up'],
    ['desk/turn-0', 'desk/turn-0'],
    ['desk/turn-0/model', 'desk/turn-0/model'],
    ['desk/turn-0/find-1', 'desk/turn-0/find-1'],
    ['pay/undo', 'Charge / undo'],
  ])('%s is %s', (path, name) => expect(nameOf(history, path)).toBe(name));

  it('without what is around it, for who looks from there', () => {
    expect(nameOf(history, 'each/1', 'each')).toBe('1');
    expect(nameOf(history, 'each/1/sum', 'each')).toBe('1 / Add it up');
    expect(nameOf(history, 'each/1/sum', 'each/1')).toBe('Add it up');
    expect(nameOf(history, 'desk/turn-0/model', 'desk/turn-0')).toBe('model');
  });
});

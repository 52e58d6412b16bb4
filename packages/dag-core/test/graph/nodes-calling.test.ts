// Catches: a node that calls a tool and is not found, because it stands inside another or because the draft is unfinished.
import { expect, test } from 'vitest';
import { nodesCalling } from '../../src/index.ts';

const call = (id: string, tool = 'crm.find@1') => ({ id, kind: 'tool', tool });

test('tools are found in nodes, in what agents are offered, and inside of maps and loops', () => {
  const document = {
    nodes: [
      call('first'),
      call('other', 'crm.find@2'),
      {
        id: 'each',
        kind: 'map',
        body: { nodes: [call('inner'), { id: 'again', kind: 'loop', body: { nodes: [call('deep')] } }] },
      },
      { id: 'clerk', kind: 'agent', tools: [{ ask: {} }, { tool: 'crm.find@1' }] },
      { id: 'idle', kind: 'agent', tools: [{ tool: 'crm.find@2' }] },
    ],
  };
  expect(nodesCalling(document, 'crm.find@1')).toEqual(['first', 'clerk', 'inner', 'deep']);
});

test.each([
  [null],
  ['text'],
  [{}],
  [{ nodes: 'none' }],
  [
    {
      nodes: [
        null,
        1,
        { kind: 'tool', tool: 'crm.find@1' },
        { id: 'a', kind: 'agent' },
        { id: 'm', kind: 'map', body: null },
      ],
    },
  ],
  [{ nodes: [{ id: 'a', kind: 'transform', tool: 'crm.find@1' }] }],
])('%j has none', (document) => {
  expect(nodesCalling(document, 'crm.find@1')).toEqual([]);
});

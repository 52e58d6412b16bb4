// Which mistake would this catch? A graph that shows a healthy item of a map whose other item failed, or another one than was chosen.
import type { FlowDocument } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { everyNode } from '../../../src/editor/index.ts';
import { withAgentTurns } from '../../../src/run/agent-turns.ts';
import { ShownPaths } from '../../../src/run/shown-paths.ts';
import { failed, gave, historyOf, type Told } from '../comparing-runs/journals.ts';

const each: FlowDocument = {
  format: 'pawl/1',
  name: 'each',
  nodes: [
    {
      id: 'parts',
      kind: 'map',
      over: '{{ input }}',
      onItemError: 'collect',
      body: { nodes: [{ id: 'read', kind: 'transform', value: '{{ item }}' }], edges: [] },
    },
  ],
  edges: [],
};
const expanded: Told = ['parts', 'map.expanded', { count: 3, itemsHash: 'x' }];
const mapped = historyOf(
  each,
  [1, 2, 3],
  [
    expanded,
    gave('parts/0/read', 1),
    gave('parts/0', 1),
    failed('parts/1/read', 'broken'),
    failed('parts/1', 'broken'),
  ],
);

describe('which node run stands for a node', () => {
  it('is that of the item that failed, unless another one is selected', () => {
    const shown = new ShownPaths(mapped, mapped.lastSeq, 'parts');
    expect(shown.pathOf('read', ['parts'])).toBe('parts/1/read');
    expect(shown.shownIn('parts')).toEqual({ index: 1, count: 3 });
    const chosen = new ShownPaths(mapped, mapped.lastSeq, 'parts/2/read');
    expect(chosen.pathOf('read', ['parts'])).toBe('parts/2/read');
  });

  it('before anything failed is that of the first item, and before there are items there is none to show', () => {
    expect(new ShownPaths(mapped, 3, 'parts').pathOf('read', ['parts'])).toBe('parts/0/read');
    expect(new ShownPaths(mapped, 1, 'parts').shownIn('parts')).toBeUndefined();
  });

  it('opens an agent that has begun with the parts of its last turn', () => {
    const document: FlowDocument = {
      format: 'pawl/1',
      name: 'agent',
      nodes: [
        {
          id: 'a',
          kind: 'agent',
          model: 'sim:writer',
          prompt: 'Do it.',
          tools: [{ tool: 'shop.find@1', name: 'find' }],
        },
      ],
      edges: [],
    };
    const told: readonly Told[] = [
      ['a', 'agent.continued', { turn: 0 }],
      gave('a/turn-0/model', null, { calls: [{ run: 'find-0' }], answer: answer('find') }),
    ];
    const history = historyOf(document, {}, told);
    const opened = withAgentTurns(history, new ShownPaths(history, history.lastSeq, 'a'));
    expect([...everyNode(opened)].map(({ node }) => node.id)).toEqual(['a', 'a/model', 'a/find-0']);
    const shown = new ShownPaths(history, history.lastSeq, 'a');
    expect(shown.pathOf('a/find-0', ['a'])).toBe('a/turn-0/find-0');
    const before = historyOf(document, {}, []);
    expect(withAgentTurns(before, new ShownPaths(before, 1, 'a')), 'not begun').toBe(before.graph.document);
  });
});

const answer = (name: string) => ({
  provider: 'sim',
  model: 'writer',
  finishReason: 'tool_calls',
  text: '',
  toolCalls: [{ id: '1', name, arguments: '{}' }],
  usage: { input: 1, output: 1 },
  costNanoUsd: 0,
  prices: 'sim-1',
  totalMs: 1,
});

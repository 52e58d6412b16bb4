// Catches: a test that calls what nobody chose to call, hides what can be chosen, or does not use what is pinned.
import type { FlowDocument, ToolDeclaration } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { type AtHand, chooseTest, type How } from '../../../src/testing/choices.ts';

const tool = (name: string, effect: ToolDeclaration['effect']) =>
  [`${name}@1`, { name, version: '1', effect, input: {} }] as const;
const registered = { tools: new Map([tool('put', 'idempotent'), tool('send', 'non_repeatable')]) };
const document: FlowDocument = {
  format: 'pawl/1',
  name: 'a-flow',
  nodes: [
    { id: 'begin', kind: 'transform', value: 1 },
    { id: 'put', kind: 'tool', tool: 'put@1', args: { x: '{{ nodes.begin.output }}' } },
    { id: 'send', kind: 'tool', tool: 'send@1', args: { x: '{{ nodes.put.output }}' } },
    { id: 'end', kind: 'transform', value: '{{ nodes.send.output }}' },
  ],
  edges: [
    { from: 'begin', to: 'put' },
    { from: 'put', to: 'send' },
    { from: 'send', to: 'end' },
  ],
};
const nothing: AtHand = { pinned: new Set(), recorded: new Map() };
const recorded: AtHand = {
  pinned: new Set(),
  recorded: new Map([
    ['put', 'put'],
    ['send', 'send'],
  ]),
};
const all = { do: 'all' } as const;
const rowsOf = (test: ReturnType<typeof chooseTest>) =>
  Object.fromEntries(test.rows.map(({ plan, how }) => [plan.node, `${how}: ${plan.does}`]));

describe('what a test does with a node when nobody chose', () => {
  it('Y2: what must not be repeated is off, and what needs it does not run', () => {
    expect(rowsOf(chooseTest(document, all, {}, nothing, registered))).toEqual({
      ...{ begin: 'run: computes', put: 'run: calls', send: 'off: nothing', end: 'run: nothing' },
    });
  });

  it('Y2: what must not be repeated is given what was recorded; what may be repeated is called all the same', () => {
    expect(rowsOf(chooseTest(document, all, {}, recorded, registered))).toEqual({
      ...{ begin: 'run: computes', put: 'run: calls', send: 'recorded: given', end: 'run: computes' },
    });
  });

  it('Y2: what is pinned is given', () => {
    const test = chooseTest(document, all, {}, { ...recorded, pinned: new Set(['put', 'send']) }, registered);
    expect(rowsOf(test)).toMatchObject({ put: 'pinned: given', send: 'pinned: given' });
  });

  it('Y2: what stands before the part is given what was recorded, and is never run', () => {
    const test = chooseTest(document, { do: 'only', node: 'send' }, {}, recorded, registered);
    expect(rowsOf(test)).toEqual({ put: 'recorded: nothing', send: 'off: nothing' });
    const called = chooseTest(document, { do: 'only', node: 'send' }, { send: 'run' }, recorded, registered);
    expect(rowsOf(called)).toEqual({ put: 'recorded: given', send: 'run: calls' });
    const bare = chooseTest(document, { do: 'only', node: 'end' }, {}, nothing, registered);
    expect(bare.rows.map(({ plan, options }) => [plan.node, options])).toEqual([
      ['send', ['off', 'mocked']],
      ['end', ['run', 'mocked']],
    ]);
  });
});

describe('what a person chose', () => {
  const choose = (chosen: Record<string, How>) => chooseTest(document, all, chosen, recorded, registered);

  it('Y2: to run what must not be repeated allows it, by name', () => {
    const test = choose({ send: 'run' });
    expect(test.allow).toEqual(['send']);
    expect(test.plan.undecided).toEqual([]);
    expect(rowsOf(test)).toMatchObject({ send: 'run: calls' });
  });

  it('Y1: whatever may be repeated can be turned off as well', () => {
    const test = choose({ put: 'off' });
    expect(test.off).toEqual(['put']);
    expect(rowsOf(test)).toMatchObject({ put: 'off: nothing', end: 'run: computes' });
  });

  it('a choice that is not there any more is as none', () => {
    expect(rowsOf(choose({ send: 'pinned' }))).toMatchObject({ send: 'recorded: given' });
  });

  it('nothing is left undecided, whatever is chosen', () => {
    for (const put of ['run', 'off', 'recorded', 'mocked'] as const)
      for (const send of ['run', 'off', 'recorded', 'mocked'] as const)
        expect(choose({ put, send }).plan.undecided).toEqual([]);
  });
});

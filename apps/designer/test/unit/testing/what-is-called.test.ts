// Catches: a button that says nothing, or too little, of what a test behind it would touch; a pin that leaves by another port.
import type { FlowDocument, TestPart, ToolDeclaration } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { type AtHand, chooseTest, type How } from '../../../src/testing/choices.ts';
import { isTooLargeToPin, pinOf } from '../../../src/testing/pin.ts';
import { whatIsCalled } from '../../../src/testing/what-is-called.ts';

const tool = (name: string, effect: ToolDeclaration['effect']) =>
  [`${name}@1`, { name, version: '1', effect, input: {} }] as const;
const registered = { tools: new Map([tool('put', 'idempotent'), tool('send', 'non_repeatable')]) };
const document: FlowDocument = {
  format: 'pawl/1',
  name: 'a-flow',
  nodes: [
    { id: 'put', kind: 'tool', tool: 'put@1' },
    { id: 'send', kind: 'tool', tool: 'send@1', args: { x: '{{ nodes.put.output }}' } },
    { id: 'end', kind: 'transform', value: '{{ nodes.send.output }}' },
  ],
  edges: [
    { from: 'put', to: 'send' },
    { from: 'send', to: 'end' },
  ],
};
const nothing: AtHand = { pinned: new Set(), recorded: new Map() };

function saidOf(part: TestPart, chosen: Record<string, How> = {}, atHand = nothing) {
  const { calls, held, givenCount } = whatIsCalled(chooseTest(document, part, chosen, atHand, registered));
  return { calls: calls.map(({ node }) => node), held: held.map(({ node }) => node), givenCount };
}

describe('what is said before a test is chosen', () => {
  it('rule 6: names what would be called, and what must not be repeated apart from it', () => {
    expect(saidOf({ do: 'to', node: 'send' })).toEqual({ calls: ['put'], held: ['send'], givenCount: 0 });
    expect(saidOf({ do: 'only', node: 'end' })).toEqual({ calls: [], held: [], givenCount: 0 });
  });

  it('follows what was let run, and counts what is given', () => {
    const recorded: AtHand = { ...nothing, recorded: new Map([['put', 'put']]) };
    expect(saidOf({ do: 'from', node: 'send' }, { send: 'run' }, recorded)).toEqual({
      calls: ['send'],
      held: [],
      givenCount: 1,
    });
  });

  it('says nothing of what stands outside the part', () => {
    expect(saidOf({ do: 'only', node: 'put' })).toEqual({ calls: ['put'], held: [], givenCount: 0 });
  });
});

describe('an output that is pinned', () => {
  it('leaves by the ports that the node run left by', () => {
    const succeeded = (ports?: string[]) => ({
      type: 'outcome.succeeded',
      data: { ...(ports && { ports }) },
    });
    expect(pinOf(1, [succeeded()])).toEqual({ output: 1 });
    expect(pinOf(1, [{ type: 'attempt.started', data: {} }, succeeded(['rejected'])])).toEqual({
      output: 1,
      ports: ['rejected'],
    });
  });

  it('is none where its text is longer than what is saved with every edit', () => {
    expect(isTooLargeToPin('x'.repeat(256 * 1_024 - 2))).toBe(false);
    expect(isTooLargeToPin('x'.repeat(256 * 1_024 - 1))).toBe(true);
  });
});

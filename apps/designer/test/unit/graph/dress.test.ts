// Would catch: a run page that draws every node again when one of them changed, or goes on showing a node as it was.
import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { classEdges, type Dress, dressNodes } from '../../../src/graph/dress.ts';

const document: FlowDocument = {
  format: 'pawl/1',
  name: 'three',
  nodes: ['a', 'b', 'c'].map((id) => ({ id, kind: 'transform', value: 1 })),
  edges: [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ],
};

const dressedAs =
  (words: Readonly<Record<string, string>>) =>
  ({ id }: NodeConfig): Dress => ({ label: `${id}, ${words[id] ?? 'not reached'}`, note: words[id] });

describe('the nodes of a run', () => {
  const before = dressNodes(document, undefined, dressedAs({ a: 'done', b: 'running' }), []);

  it('when one of them changed, the others are the same objects', () => {
    const after = dressNodes(document, undefined, dressedAs({ a: 'done', b: 'done' }), before);
    expect(after.map((node, at) => node === before[at])).toEqual([true, false, true]);
    expect(after[1]).toMatchObject({ ariaLabel: 'b, done', data: { dress: { note: 'done' } } });
  });

  it('when none of them changed, the list is the same', () => {
    expect(dressNodes(document, undefined, dressedAs({ a: 'done', b: 'running' }), before)).toBe(before);
  });

  it('when another is selected, both that are concerned are drawn anew, dressed as before', () => {
    const one = dressNodes(document, 'a', dressedAs({ a: 'done' }), before);
    const other = dressNodes(document, 'c', dressedAs({ a: 'done' }), one);
    expect(other.map((node, at) => node === one[at])).toEqual([false, true, false]);
    expect(other.map(({ selected }) => selected)).toEqual([false, false, true]);
    expect(other[0]!.data.dress.note).toBe('done');
  });
});

describe('the edges of a run', () => {
  const before = classEdges(document, () => 'open', []);

  it('when one of them was taken, the other is the same object', () => {
    const after = classEdges(document, ({ from }) => (from === 'a' ? 'live' : 'open'), before);
    expect(after.map((edge, at) => edge === before[at])).toEqual([false, true]);
    expect(after[0]!.className).toBe('live');
    expect(classEdges(document, () => 'open', before)).toBe(before);
  });
});

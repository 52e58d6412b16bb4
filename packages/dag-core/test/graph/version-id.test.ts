// Catches: a new version because somebody moved a node, or an old version under which another graph runs.
import { describe, expect, it } from 'vitest';
import { type FlowDocument, versionId } from '../../src/index.ts';
import { edges, flow, loop, map, node } from './flow-builder.ts';

const document = (fields = {}, inner = {}, outer = {}): FlowDocument =>
  flow([node('a', outer), map('m', [node('x', inner)])], edges('a -> m'), fields) as unknown as FlowDocument;

describe('the name of a version', () => {
  it('G9: is 64 hexadecimal digits that never change for the same graph', () => {
    expect(versionId(document())).toBe('465d9beb8b0bf00b2c6d34f4cb9aaa57ae1a0ad7b654954367f79a334caa7075');
  });

  it('G9: does not depend on layout, titles, descriptions, or the order of keys', () => {
    const dressed = document(
      { title: 'T', description: 'D', layout: { a: { x: 1 } } },
      { title: 'inner' },
      { title: 'outer' },
    );
    const reversed = Object.fromEntries(Object.entries(dressed).reverse()) as unknown as FlowDocument;
    expect(versionId(dressed)).toBe(versionId(document()));
    expect(versionId(reversed)).toBe(versionId(document()));
  });

  it('G9: nor on titles in the body of a loop', () => {
    const looping = (title: { title?: string }) =>
      flow([loop('l', [node('x', title)])]) as unknown as FlowDocument;
    expect(versionId(looping({ title: 'inner' }))).toBe(versionId(looping({})));
  });

  it('G9: changes with everything that changes a run', () => {
    const others = [
      document({ output: '{{ nodes.a.output }}' }),
      document({ name: 'other' }),
      document({ budget: { tokens: 1 } }),
      document({ input: { title: 'the title of a schema is part of the schema' } }),
      document({}, { value: { title: 'a value called title' } }),
      document({}, {}, { timeoutMs: 5 }),
      { ...document(), edges: [] },
    ];
    expect(new Set([document(), ...others].map(versionId)).size).toBe(others.length + 1);
  });
});

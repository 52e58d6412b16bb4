// Would catch: a canvas that draws a thousand nodes again because one of them moved, or does not draw one that changed.
import type { FlowDocument } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { drawEdges, drawNodes } from '../../../src/canvas/draw-flow.ts';
import { apply, isRefused, type Operation } from '../../../src/editor/index.ts';

const document: FlowDocument = {
  format: 'pawl/1',
  name: 'drawn',
  nodes: [
    { id: 'a', kind: 'transform', value: 1 },
    {
      id: 'each',
      kind: 'map',
      over: '{{ [1] }}',
      body: { nodes: [{ id: 'b', kind: 'transform', value: '{{ item }}' }], edges: [] },
    },
    { id: 'c', kind: 'switch', cases: [{ port: 'yes', when: 'true' }] },
  ],
  edges: [
    { from: 'a', to: 'each' },
    { from: 'each', to: 'c' },
  ],
  layout: { a: { x: 0, y: 0 }, each: { x: 300, y: 0 }, b: { x: 24, y: 56 }, c: { x: 700, y: 0 } },
};
const NONE: ReadonlySet<string> = new Set();
const CLASSES = { lit: 'lit', error: 'error' };
const nameOf = ({ id, title }: { readonly id: string; readonly title?: string }) => title ?? id;
const nodes = drawNodes(document, NONE, nameOf, []);
const edges = drawEdges(document, NONE, [], CLASSES);

function after(operation: Operation): FlowDocument {
  const applied = apply(document, operation);
  if (isRefused(applied)) throw new Error(applied.refused.code);
  return applied.document;
}

/** Ids of what is another object than before. */
const drawnAnew = (now: FlowDocument, selected: ReadonlySet<string> = NONE): string[] =>
  drawNodes(now, selected, nameOf, nodes)
    .filter((node) => !nodes.includes(node))
    .map(({ id }) => id);

describe('the nodes of a canvas', () => {
  it('when nothing changed, they are the same list', () => {
    expect(drawNodes({ ...document }, NONE, nameOf, nodes)).toBe(nodes);
    expect(drawEdges({ ...document }, NONE, [], CLASSES, edges)).toBe(edges);
  });

  it.each<[string, Operation, string[]]>([
    ['a node moved', { do: 'arrange', nodes: { a: { x: 10, y: 0 } } }, ['a']],
    ['what a container holds moved', { do: 'arrange', nodes: { b: { x: 90, y: 56 } } }, ['each', 'b']],
    ['a node was renamed', { do: 'setSetting', graph: [], id: 'a', pointer: '/title', value: 'New' }, ['a']],
    ['a container was closed', { do: 'setLook', ids: ['each'], collapsed: true }, ['each']],
    ['an output was pinned', { do: 'setLook', ids: ['a'], pin: { output: 1 } }, ['a']],
    [
      'a case got another port',
      { do: 'setSetting', graph: [], id: 'c', pointer: '/cases', value: [] },
      ['c'],
    ],
  ])('when %s, only what looks otherwise is another object', (_, operation, ids) => {
    expect(drawnAnew(after(operation))).toEqual(ids);
  });

  it('when a node is selected, only that one is another object', () => {
    expect(drawnAnew(document, new Set(['c']))).toEqual(['c']);
  });

  it('when a node was dragged and let go where the document does not have it, it is drawn where it has', () => {
    const dragged = nodes.map((node) => (node.id === 'a' ? { ...node, position: { x: 50, y: 50 } } : node));
    expect(drawNodes(document, NONE, nameOf, dragged)[0]!.position).toEqual({ x: 0, y: 0 });
  });
});

describe('the edges of a canvas', () => {
  it('when one is selected or lit, only that one is another object', () => {
    const anew = (now: typeof edges) => now.filter((edge) => !edges.includes(edge)).map(({ id }) => id);
    expect(anew(drawEdges(document, new Set(['a:->each']), [], CLASSES, edges))).toEqual(['a:->each']);
    expect(anew(drawEdges(document, NONE, ['each', 'c'], CLASSES, edges))).toEqual(['each:->c']);
  });
});

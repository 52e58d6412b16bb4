// Which mistake would this catch? A picture in which an opened container hides what stands beside it.
import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxOf, doOverlap } from '../../../src/editor/index.ts';
import { makeRoom } from '../../../src/graph/make-room.ts';

const card = (id: string): NodeConfig => ({ id, kind: 'transform', value: 1 });
const container: NodeConfig = {
  id: 'box',
  kind: 'map',
  over: '{{ input }}',
  body: { nodes: [card('in'), card('out')], edges: [] },
};
const document = (places: Readonly<Record<string, { x: number; y: number }>>): FlowDocument => ({
  format: 'pawl/1',
  name: 'f',
  nodes: [container, ...Object.keys(places).map(card)],
  edges: [],
  layout: { box: { x: 0, y: 0 }, in: { x: 24, y: 56 }, out: { x: 304, y: 200 }, ...places },
});
const boxes = (drawn: FlowDocument) => drawn.nodes.map((node) => boxOf(drawn, node));

describe('room for an opened container', () => {
  it('is made to the right and below, what follows goes along, and nothing else moves', () => {
    const roomy = makeRoom(
      document({
        right: { x: 280, y: 0 },
        after: { x: 560, y: 0 },
        below: { x: 0, y: 90 },
        far: { x: -400, y: 0 },
      }),
    );
    const [box, right, after, below, far] = boxes(roomy);
    expect(right!.x).toBeGreaterThanOrEqual(box!.width);
    expect(after!.x - right!.x).toBe(280);
    expect(below!.y).toBeGreaterThanOrEqual(box!.height);
    expect([box!.x, box!.y, far!.x]).toEqual([0, 0, -400]);
  });

  it('is there after it, whatever stood to the right or below', () => {
    const place = fc.record({ x: fc.integer({ min: 0, max: 900 }), y: fc.integer({ min: 1, max: 600 }) });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 6 }), (places) => {
        const roomy = makeRoom(document(Object.fromEntries(places.map((each, at) => [`n${at}`, each]))));
        const [box, ...others] = boxes(roomy);
        expect(others.filter((other) => doOverlap(box!, other))).toEqual([]);
      }),
    );
  });

  it('where there is room, changes nothing', () => {
    const roomy = document({ right: { x: 2_000, y: 0 } });
    expect(makeRoom(roomy)).toBe(roomy);
  });
});

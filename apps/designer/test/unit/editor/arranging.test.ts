// Which mistake would this catch? A tidy that throws the drawing to another corner, piles nodes on each other or lets one stick out of
// its container; an arrow key that leads nowhere although there is somebody.
import Elk from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import {
  align,
  boxOf,
  carriedBy,
  carry,
  distribute,
  doOverlap,
  drawingsOf,
  everyNode,
  findNode,
  type GraphPath,
  graphAt,
  isRefused,
  LEAST_SIZES,
  layoutInput,
  lookOf,
  neighbourOf,
  nodesInBox,
  resized,
  siblingsOf,
  sizeOf,
  stillThere,
  tidied,
} from '../../../src/editor/index.ts';
import { apply, done, draft, edges, map, node, route } from './drafts.ts';
import { Dice, randomOperation, startingDraft } from './random-editing.ts';

const at = (places: Record<string, [number, number]>) => ({
  layout: Object.fromEntries(Object.entries(places).map(([id, [x, y]]) => [id, { x, y }])),
});

async function tidy(document: ReturnType<typeof draft>, graph: GraphPath = [], ids?: string[]) {
  const laidOut = await new Elk().layout(layoutInput(document, graph, ids));
  return done(document, tidied(document, graph, laidOut)).document;
}

describe('tidy', () => {
  it('D16: leaves no node on another, none outside its container, and every edge leading right', async () => {
    const dice = new Dice(4);
    let document = startingDraft();
    for (let step = 0; step < 120; step++) {
      const operation = randomOperation(document, dice);
      if (operation.do === 'setLook') continue;
      const applied = apply(document, operation);
      if (!isRefused(applied)) document = applied.document;
    }
    const tidyOne = await tidy(document);
    const graphs = new Map<string, GraphPath>([['', []]]);
    for (const { graph } of everyNode(tidyOne)) graphs.set(graph.join('/'), graph);
    expect(graphs.size).toBeGreaterThan(2);
    for (const graph of graphs.values()) {
      const found = graphAt(tidyOne, graph)!;
      const boxes = found.nodes.map((each) => boxOf(tidyOne, each));
      boxes.forEach((box, index) => {
        for (const other of boxes.slice(index + 1)) expect(doOverlap(box, other)).toBe(false);
        if (graph.length > 0) expect([box.x >= 0, box.y >= 0]).toEqual([true, true]);
      });
      for (const { from, to } of found.edges)
        expect(lookOf(tidyOne, from).x, `${from} -> ${to}`).toBeLessThan(lookOf(tidyOne, to).x!);
    }
  });

  it('D16: keeps the corner where it was, and touches what was not chosen no more than any node', async () => {
    const document = draft(
      [node('a'), node('b'), node('c')],
      edges('a -> b', 'b -> c'),
      at({ a: [500, 300], b: [400, 200], c: [-90, 7] }),
    );
    const some = await tidy(document, [], ['a', 'b']);
    expect(lookOf(some, 'c')).toBe(lookOf(document, 'c'));
    expect(some.nodes).toBe(document.nodes);
    expect([lookOf(some, 'a'), lookOf(some, 'b')]).toEqual([
      { x: 400, y: 200 },
      { x: 680, y: 200 },
    ]);
  });

  it('D16: lays out an inner graph alone, and keeps ports in their order', async () => {
    const document = draft([
      map('m', [route('s', 'one', 'two'), node('x'), node('y')], edges('s:two -> y', 's:one -> x')),
    ]);
    const inner = await tidy(document, ['m']);
    expect(lookOf(inner, 'm')).toEqual({});
    expect(lookOf(inner, 'x').y).toBeLessThan(lookOf(inner, 'y').y!);
  });

  it('gives a closed container the size of a node, and an open one that of what it holds', () => {
    const document = draft([map('m', [node('x'), node('y')])], [], at({ x: [24, 56], y: [304, 56] }));
    const size = (from: typeof document) => sizeOf(from, findNode(from, 'm')!.node);
    expect(size(document)).toEqual({ width: 540, height: 144 });
    const closed = done(document, { do: 'setLook', ids: ['m'], collapsed: true }).document;
    expect(size(closed)).toEqual({ width: 212, height: 64 });
    expect(layoutInput(closed).children![0]).not.toHaveProperty('children');
  });
});

describe('nodes in a row', () => {
  const document = draft(
    [node('a'), node('b'), node('c')],
    [],
    at({ a: [0, 0], b: [30, 90], c: [900, 300] }),
  );

  it.each([
    ['left', [0, 0, 0]],
    ['center', [450, 450, 450]],
    ['right', [900, 900, 900]],
  ] as const)('line up: %s', (how, xs) => {
    const aligned = done(document, align(document, [], ['a', 'b', 'c'], how));
    expect(['a', 'b', 'c'].map((id) => lookOf(aligned.document, id).x)).toEqual(xs);
    expect(aligned.label).toEqual({ did: 'align', count: 3 });
  });

  it('stand at equal distances, the outer ones where they were; two have nothing to share', () => {
    const spread = done(document, distribute(document, [], ['c', 'a', 'b'], 'across')).document;
    expect(['a', 'b', 'c'].map((id) => lookOf(spread, id).x)).toEqual([0, 450, 900]);
    expect(done(document, distribute(document, [], ['a', 'b'], 'down')).document).toBe(document);
  });

  it('D19: move together with the frame that they lie in, and with what lies in frames inside it', () => {
    const frame = { x: -10, y: -10, width: 300, height: 200, title: '' };
    const note = { x: 0, y: 0, width: 9, height: 9, text: '' };
    const framed = [
      { do: 'draw', drawing: 'frame', id: 'f', value: frame } as const,
      {
        do: 'draw',
        drawing: 'frame',
        id: 'inner',
        value: { ...note, title: '', width: 20, height: 20 },
      } as const,
      { do: 'draw', drawing: 'note', id: 'in', value: note } as const,
      { do: 'draw', drawing: 'note', id: 'out', value: { ...note, x: 285 } } as const,
      { do: 'draw', drawing: 'note', id: 'elsewhere', value: { ...note, in: 'a' } } as const,
    ].reduce((each, operation) => done(each, operation).document, document);
    const carried = carriedBy(framed, { frames: ['f'], nodes: ['a'] });
    const moved = done(framed, carry(carried, { x: 5, y: 5 }));
    expect(['a', 'b', 'c'].map((id) => lookOf(moved.document, id).x)).toEqual([5, 35, 900]);
    expect(moved.document.layout).toMatchObject({
      $frames: { f: { x: -5 }, inner: { x: 5 } },
      $notes: { in: { x: 5 }, out: { x: 285 }, elsewhere: { x: 0 } },
    });
    expect(moved.label).toEqual({ did: 'move', count: 5 });
  });
});

describe('selecting', () => {
  const document = draft(
    [node('a'), node('up'), node('mid'), node('low'), node('z'), node('other')],
    edges('a -> up', 'a -> mid', 'a -> low', 'mid -> z', 'low -> z'),
    at({ a: [0, 100], up: [300, 0], mid: [300, 100], low: [300, 200], z: [600, 190], other: [0, 900] }),
  );

  it.each([
    ['a', 'right', 'mid'],
    ['z', 'left', 'low'],
    ['mid', 'up', 'up'],
    ['mid', 'down', 'low'],
    ['low', 'down', undefined],
    ['a', 'down', 'other'],
    ['up', 'right', undefined],
  ] as const)('goes from %s %s to %s', (id, arrow, to) => {
    expect(neighbourOf(document, [], id, arrow)).toBe(to);
  });

  it('knows siblings, what a box touches, what lies in it, and what is still there', () => {
    expect(siblingsOf(document, 'mid')).toEqual(['up', 'low']);
    const box = { x: 290, y: 10, width: 300, height: 180 };
    expect(nodesInBox(document, [], box)).toEqual(['up', 'mid']);
    expect(nodesInBox(document, [], box, 'whole')).toEqual(['mid']);
    expect(stillThere(document, [], ['z', 'gone'])).toEqual(['z']);
  });
});

describe('notes and frames that are resized by keys', () => {
  const sized = (width: number, height: number) =>
    draft([], [], { layout: { $notes: { n: { x: 1, y: 2, width, height, text: '' } } } });
  const after = (document: ReturnType<typeof draft>, by: { x: number; y: number }) =>
    drawingsOf(done(document, resized(document, { notes: ['n', 'gone'] }, by)).document, 'note').n;

  it('keep their corner and become as much larger as was asked for', () => {
    expect(after(sized(200, 100), { x: 10, y: -20 })).toEqual({
      x: 1,
      y: 2,
      width: 210,
      height: 80,
      text: '',
    });
  });

  it('become no smaller than what still can be read, and do not jump when they are smaller already', () => {
    const { width, height } = LEAST_SIZES.note;
    expect(after(sized(width + 5, height), { x: -10, y: -10 })).toMatchObject({ width, height });
    expect(after(sized(30, 20), { x: -10, y: 0 })).toMatchObject({ width: 30, height: 20 });
  });
});

// Which mistake would this catch? A diff that calls a rename a deletion, one that misses a change inside a map, a merge that loses
// somebody's edit in silence, and one that joins two sound halves to a circle.
import { type FlowDocument, validateFlow } from '@pawl/dag-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  diffFlows,
  findNode,
  isLookOnly,
  isRefused,
  lookOf,
  mergeFlows,
  type Operation,
} from '../../../src/editor/index.ts';
import { apply, done, draft, drawn, edge, edges, map, node, reads } from './drafts.ts';
import { Dice, randomOperation, startingDraft } from './random-editing.ts';

const base = draft(
  [
    node('a', { title: 'A' }),
    reads('b', '{{ nodes.a.output }}'),
    map('m', [node('x'), node('y')], edges('x -> y')),
    node('c'),
  ],
  edges('a -> b', 'b -> m', 'm -> c'),
  { budget: { tokens: 5 }, layout: { a: { x: 0, y: 0 }, b: { x: 9, y: 9 } } },
);
const edited = (...operations: Operation[]): FlowDocument =>
  operations.reduce((document, operation) => done(document, operation).document, base);
const set = (id: string, pointer: string, value?: unknown): Operation =>
  ({
    do: 'setSetting',
    graph: id === 'x' || id === 'y' ? ['m'] : [],
    id,
    pointer,
    ...(value !== undefined && { value }),
  }) as Operation;
const remove = (...ids: string[]): Operation => ({ do: 'removeNodes', graph: [], ids });
const connect = (text: string): Operation => ({ do: 'connect', graph: [], edge: edge(text) });
const random = (document: FlowDocument, seed: number, length: number): FlowDocument => {
  const dice = new Dice(seed);
  let changed = document;
  for (let at = 0; at < length; at++) {
    const applied = apply(changed, randomOperation(changed, dice));
    if (!isRefused(applied)) changed = applied.document;
  }
  return changed;
};
const pairs = fc.record({ one: fc.nat(), other: fc.nat(), length: fc.integer({ min: 1, max: 12 }) });

describe('a diff', () => {
  it('D13: names what was added, removed and changed, by node and pointer, inner graphs included', () => {
    const after = edited(
      remove('c'),
      { do: 'addNode', graph: ['m'], node: node('z'), wire: { from: 'y' } },
      set('x', '/value', { of: 2 }),
      set('a', '/retry/maxAttempts', 3),
      { do: 'setFlowSetting', pointer: '/budget/costUsd', value: 1 },
      { do: 'arrange', nodes: { b: { x: 10 } } },
    );
    expect(diffFlows(base, after)).toEqual({
      nodes: [
        { change: 'removed', id: 'c', graph: [] },
        { change: 'changed', id: 'a', graph: [], pointers: ['/retry'] },
        { change: 'changed', id: 'x', graph: ['m'], pointers: ['/value'] },
        { change: 'added', id: 'z', graph: ['m'] },
      ],
      edges: {
        added: [{ graph: ['m'], edge: edge('y -> z') }],
        removed: [{ graph: [], edge: edge('m -> c') }],
      },
      settings: ['/budget/costUsd'],
      moved: ['b'],
      drawings: [],
    });
  });

  it('D13: knows a node that only got another id, and does not blame what reads it', () => {
    const after = edited(
      { do: 'renameNode', graph: [], id: 'a', to: 'begin' },
      { do: 'renameNode', graph: [], id: 'b', to: 'next' },
    );
    expect(diffFlows(base, after)).toEqual({
      nodes: [
        { change: 'changed', id: 'begin', graph: [], pointers: [], was: 'a' },
        { change: 'changed', id: 'next', graph: [], pointers: [], was: 'b' },
      ],
      edges: { added: [], removed: [] },
      settings: [],
      moved: [],
      drawings: [],
    });
  });

  it('D13: tells twins apart by their edges', () => {
    const twins = draft([node('a'), node('one'), node('two'), node('z')], edges('a -> one', 'two -> z'));
    const renamed = ['one', 'two'].reduce(
      (document, id) => done(document, { do: 'renameNode', graph: [], id, to: `${id}-new` }).document,
      twins,
    );
    const names = diffFlows(twins, renamed).nodes.map((change) =>
      'was' in change ? [change.was, change.id] : change,
    );
    expect(names).toEqual([
      ['one', 'one-new'],
      ['two', 'two-new'],
    ]);
  });

  it('D13: says where a node came from, and that a look is only a look', () => {
    const wrapped = edited({
      do: 'wrap',
      graph: [],
      ids: ['b'],
      container: { id: 'l', kind: 'loop', until: 'true' },
    });
    expect(diffFlows(base, wrapped).nodes).toContainEqual({
      change: 'changed',
      id: 'b',
      graph: ['l'],
      from: [],
      pointers: [],
    });
    const moved = edited(
      { do: 'setLook', ids: ['a'], color: 'red' },
      { do: 'draw', drawing: 'note', id: 'n', value: { x: 0, y: 0, width: 1, height: 1, text: '' } },
    );
    expect(diffFlows(base, moved)).toMatchObject({ moved: ['a'], drawings: [{ drawing: 'note', id: 'n' }] });
    expect(isLookOnly(diffFlows(base, moved))).toBe(true);
  });

  it('D13: is empty for the same document, whatever the order of its members, and never empty for another', () => {
    const shuffled = {
      ...base,
      name: base.name,
      nodes: base.nodes.map((each) => Object.fromEntries(Object.entries(each).reverse())),
    };
    expect(isLookOnly(diffFlows(base, shuffled as unknown as FlowDocument))).toBe(true);
    fc.assert(
      fc.property(pairs, ({ one, length }) => {
        const [before, after] = [startingDraft(), random(startingDraft(), one, length)];
        const strip = ({ layout: _layout, ...rest }: FlowDocument) => rest;
        const diff = diffFlows(before, after);
        if (JSON.stringify(strip(before)) !== JSON.stringify(strip(after)))
          expect(isLookOnly(diff)).toBe(false);
        const back = diffFlows(after, before);
        expect(back.edges.added.length - diff.edges.removed.length).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a merge', () => {
  it('D14: takes what only one side changed, node by node and field by field', () => {
    const mine = edited(set('a', '/title', 'Mine'), remove('c'), { do: 'arrange', nodes: { a: { x: 5 } } });
    const theirs = edited(set('a', '/retry/maxAttempts', 3), set('x', '/value', 7), {
      do: 'addNode',
      graph: [],
      node: node('d'),
      wire: { from: 'b' },
      at: { x: 1, y: 1 },
    });
    const { document, conflicts, lostEdges } = mergeFlows({ base, mine, theirs });
    expect([conflicts, lostEdges]).toEqual([[], []]);
    expect(findNode(document, 'a')!.node).toMatchObject({ title: 'Mine', retry: { maxAttempts: 3 } });
    expect(findNode(document, 'x')!.node).toMatchObject({ value: 7 });
    expect(findNode(document, 'c')).toBeUndefined();
    expect(drawn(document)).toEqual(['a -> b', 'b -> m', 'b -> d']);
    expect([lookOf(document, 'a'), lookOf(document, 'd')]).toEqual([
      { x: 5, y: 0 },
      { x: 1, y: 1 },
    ]);
    expect(document.nodes[1]).toBe(mine.nodes[1]);
  });

  it('D14: asks about what both changed, by node and pointer, and does what is chosen', () => {
    const mine = edited(set('a', '/title', 'Mine'), {
      do: 'setFlowSetting',
      pointer: '/budget/tokens',
      value: 6,
    });
    const theirs = edited(set('a', '/title', 'Theirs'), {
      do: 'setFlowSetting',
      pointer: '/budget/tokens',
      value: 7,
    });
    const { document, conflicts } = mergeFlows({ base, mine, theirs });
    expect(conflicts).toEqual([
      { pointer: '/budget/tokens', base: 5, mine: 6, theirs: 7, suggested: 'mine' },
      { node: 'a', pointer: '/title', base: 'A', mine: 'Mine', theirs: 'Theirs', suggested: 'mine' },
    ]);
    expect(document).toBe(mine);
    const chosen = mergeFlows({ base, mine, theirs }, ({ node: id }) =>
      id === 'a' ? 'theirs' : 'mine',
    ).document;
    expect(findNode(chosen, 'a')!.node.title).toBe('Theirs');
    expect(chosen.budget).toEqual({ tokens: 6 });
  });

  it('D14: keeps a node that one side took out while the other worked on it, with what holds it', () => {
    const [gone, worked] = [edited(remove('m')), edited(set('x', '/value', 'new'))];
    for (const [mine, theirs] of [
      [gone, worked],
      [worked, gone],
    ] as const) {
      const { document, conflicts } = mergeFlows({ base, mine, theirs });
      expect(conflicts.map((each) => [each.node, each.pointer])).toEqual([['x', '']]);
      expect(findNode(document, 'x')).toMatchObject({ graph: ['m'], node: { value: 'new' } });
    }
    const away = mergeFlows({ base, mine: gone, theirs: worked }, () => 'mine').document;
    expect(findNode(away, 'm')).toBeUndefined();
  });

  it('D14: names the edge that would close a circle of two halves, or that has lost its end', () => {
    const apart = draft([node('a'), node('b'), node('c')]);
    const side = (...operations: Operation[]) =>
      operations.reduce((each, one) => done(each, one).document, apart);
    const circle = mergeFlows({
      base: apart,
      mine: side(connect('a -> b')),
      theirs: side(connect('b -> a')),
    });
    expect(drawn(circle.document)).toEqual(['a -> b']);
    expect(circle.lostEdges).toMatchObject([
      { of: 'theirs', edge: edge('b -> a'), reason: { code: 'cycle', loop: ['b', 'a', 'b'] } },
    ]);
    const endless = mergeFlows({ base: apart, mine: side(connect('a -> b')), theirs: side(remove('b')) });
    expect(drawn(endless.document)).toEqual([]);
    expect(endless.lostEdges).toMatchObject([{ of: 'mine', reason: { code: 'node_unknown', node: 'b' } }]);
  });

  it('D14: two new nodes of one id are one question', () => {
    const add = (value: number): Operation => ({ do: 'addNode', graph: [], node: node('n', { value }) });
    const merged = mergeFlows({ base, mine: edited(add(1)), theirs: edited(add(2)) });
    expect(merged.conflicts).toMatchObject([{ node: 'n', pointer: '' }]);
    expect(findNode(merged.document, 'n')!.node).toMatchObject({ value: 1 });
  });

  it('D14: with one side unchanged is the other; with both the same asks nothing', () => {
    fc.assert(
      fc.property(pairs, ({ one, length }) => {
        const [start, changed] = [startingDraft(), random(startingDraft(), one, length)];
        expect(mergeFlows({ base: start, mine: changed, theirs: start }).document).toBe(changed);
        const theirs = mergeFlows({ base: start, mine: start, theirs: changed }).document;
        expect(JSON.stringify(theirs)).toBe(JSON.stringify(changed));
        const same = mergeFlows({ base: start, mine: changed, theirs: JSON.parse(JSON.stringify(changed)) });
        expect([same.conflicts, same.lostEdges]).toEqual([[], []]);
        expect(same.document).toEqual(changed);
      }),
      { numRuns: 80 },
    );
  });

  it('D4, D14: is sound, whatever both sides did', () => {
    const forbidden = /^(cycle|edge_\w+|port_unknown|port_missing|id_\w+)$/;
    fc.assert(
      fc.property(pairs, ({ one, other, length }) => {
        const start = startingDraft();
        const [mine, theirs] = [random(start, one, length), random(start, other, length)];
        const { document } = mergeFlows({ base: start, mine, theirs });
        expect(validateFlow(document).issues.filter(({ code }) => forbidden.test(code))).toEqual([]);
        const kept = [mine, theirs].flatMap((side) =>
          side.nodes.filter(({ id }) => !findNode(start, id)).map(({ id }) => id),
        );
        for (const id of kept) expect(findNode(document, id), `${id} is lost`).toBeDefined();
      }),
      { numRuns: 150 },
    );
  });
});

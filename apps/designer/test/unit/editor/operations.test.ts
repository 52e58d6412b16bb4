// Which mistake would this catch? A deletion that leaves an edge behind, a rename that misses a reference, a node that is dropped into
// an edge and pushes everything away, a refusal that does not say why.
import { describe, expect, it } from 'vitest';
import { boxOf, findNode, lookOf, type NodeLook, type Operation } from '../../../src/editor/index.ts';
import { done, draft, drawn, edge, edges, map, node, reads, refusalOf, route } from './drafts.ts';

const look = (document: Parameters<typeof lookOf>[0], id: string): NodeLook => lookOf(document, id);

describe('a new node', () => {
  const row = (gap: number) =>
    draft([node('a'), node('b'), node('c'), node('aside')], edges('a -> b', 'b -> c'), {
      layout: {
        a: { x: 0, y: 10 },
        b: { x: 212 + gap, y: 10 },
        c: { x: 600 + gap, y: 90 },
        aside: { x: 900, y: 9 },
      },
    });
  const into: Operation = {
    do: 'addNode',
    graph: [],
    node: node('n'),
    wire: { into: { from: 'a', to: 'b' } },
  };

  it('D7: comes into an edge and moves nothing where there is room', () => {
    const { document, made } = done(row(348), into);
    expect(drawn(document)).toEqual(['a -> n', 'n -> b', 'b -> c']);
    expect(made).toEqual(['n']);
    expect(look(document, 'n')).toEqual({ x: 280, y: 10 });
    for (const id of ['a', 'b', 'c', 'aside']) expect(look(document, id)).toEqual(look(row(348), id));
  });

  it('D7: moves what follows, all by what is missing, and nothing else, where there is none', () => {
    const { document } = done(row(68), into);
    expect(look(document, 'b')).toEqual({ x: 560, y: 10 });
    expect(look(document, 'c')).toEqual({ x: 948, y: 90 });
    for (const id of ['a', 'aside']) expect(look(document, id)).toEqual(look(row(68), id));
  });

  it('D7: goes on by its first port', () => {
    const { document } = done(row(68), { ...into, node: route('n', 'yes', 'no') } as Operation);
    expect(drawn(document)).toEqual(['a -> n', 'n:yes -> b', 'b -> c']);
  });

  it('stands beside what it is wired to, and not on what is there', () => {
    const document = draft([node('a'), node('b')], [], {
      layout: { a: { x: 0, y: 0 }, b: { x: 280, y: 20 } },
    });
    const right = done(document, { do: 'addNode', graph: [], node: node('n'), wire: { from: 'a' } }).document;
    expect(drawn(right)).toEqual(['a -> n']);
    expect(look(right, 'n')).toEqual({ x: 280, y: 108 });
    const left = done(document, { do: 'addNode', graph: [], node: node('n'), wire: { to: 'a' } }).document;
    expect(drawn(left)).toEqual(['n -> a']);
    expect(boxOf(left, findNode(left, 'n')!.node)).toMatchObject({ x: -280, y: 0 });
  });

  it.each<[string, Operation, object]>([
    [
      'an id that is taken inside a map',
      { do: 'addNode', graph: [], node: node('inner') },
      { code: 'id_duplicate', id: 'inner' },
    ],
    [
      'an id that is none',
      { do: 'addNode', graph: [], node: node('a b') },
      { code: 'id_malformed', id: 'a b' },
    ],
    [
      'an id that JavaScript takes',
      { do: 'addNode', graph: [], node: node('constructor') },
      { code: 'id_reserved', id: 'constructor' },
    ],
    [
      'a graph that is not there',
      { do: 'addNode', graph: ['a'], node: node('n') },
      { code: 'graph_unknown', graph: ['a'] },
    ],
    [
      'a port that is not there',
      { do: 'addNode', graph: [], node: node('n'), wire: { from: 'a', port: 'x' } },
      { code: 'port_unknown', node: 'a', port: 'x', ports: [''] },
    ],
    [
      'an edge that is not there',
      { do: 'addNode', graph: [], node: node('n'), wire: { into: edge('a -> m') } },
      { code: 'edge_unknown', edge: edge('a -> m') },
    ],
    [
      'a body with a circle',
      { do: 'addNode', graph: [], node: map('n', [node('x'), node('y')], edges('x -> y', 'y -> x')) },
      { code: 'cycle', loop: ['x', 'y', 'x'] },
    ],
  ])('D3, D4: is refused with %s', (_what, operation, refusal) => {
    expect(refusalOf(draft([node('a'), map('m', [node('inner')])]), operation)).toMatchObject(refusal);
  });
});

describe('removing', () => {
  it('D8: takes the edges along, what the node holds, and how it was drawn; one undo brings all back', () => {
    const document = draft(
      [node('a'), map('m', [node('inner')]), node('b'), node('c')],
      edges('a -> m', 'm -> b', 'm -> c', 'a -> b'),
      {
        layout: {
          m: { x: 1, y: 1 },
          inner: { x: 2, y: 2 },
          b: { x: 3, y: 3 },
          $notes: {
            n: { x: 0, y: 0, width: 1, height: 1, text: '', in: 'm' },
            o: { x: 0, y: 0, width: 1, height: 1, text: '' },
          },
        },
      },
    );
    const removed = done(document, { do: 'removeNodes', graph: [], ids: ['m'] });
    expect(drawn(removed.document)).toEqual(['a -> b']);
    expect(Object.keys(removed.document.layout as object)).toEqual(['b', '$notes']);
    expect(removed.document.layout).toMatchObject({ $notes: { o: {} } });
    expect(removed.document.layout).not.toHaveProperty('$notes.n');
    expect(done(removed.document, removed.inverse).document).toEqual(document);
  });
});

describe('an id given anew', () => {
  const document = draft(
    [
      node('look-up'),
      reads('a', {
        of: '{{ nodes.`look-up`.output + nodes /* x */ . "look-up" . output }} {{ $$.nodes.`look-up`.status }}',
      }),
      reads('text', 'nodes.look-up.output, \\{{ nodes.`look-up`.output }}, {{ input.nodes.lookUp }}'),
      map('m', [reads('inner', '{{ $map(item, function($v) { $v + nodes.`look-up`.output }) }}')], [], {
        output: ['{{ nodes.inner.output & nodes.`look-up`.output }}'],
      }),
      node('s', { kind: 'switch', cases: [{ port: 'p', when: 'nodes.`look-up`.output > 1' }] }),
      node('c', { kind: 'code', source: 'export default ({ nodes }) => nodes["look-up"].output' }),
    ],
    edges('look-up -> a', 'look-up -> m', 'look-up -> s'),
    {
      layout: { a: {}, 'look-up': { x: 1, y: 2 }, $frames: { f: { in: 'look-up' } } },
      output: { of: '{{ nodes.`look-up`.output }}' },
    },
  );

  it('D9: is given in edges, layout and expressions, and nowhere else', () => {
    const renamed = done(document, { do: 'renameNode', graph: [], id: 'look-up', to: 'found' }).document;
    const value = (id: string) => findNode(renamed, id)!.node as unknown as Record<string, unknown>;
    expect(drawn(renamed)).toEqual(['found -> a', 'found -> m', 'found -> s']);
    expect(Object.keys(renamed.layout as object)).toEqual(['a', 'found', '$frames']);
    expect(renamed.layout).toMatchObject({ $frames: { f: { in: 'found' } } });
    expect(value('a').value).toEqual({
      of: '{{ nodes.found.output + nodes /* x */ . found . output }} {{ $$.nodes.found.status }}',
    });
    expect(findNode(renamed, 'text')!.node).toBe(document.nodes[2]);
    expect(value('inner').value).toBe('{{ $map(item, function($v) { $v + nodes.found.output }) }}');
    expect(value('m').output).toEqual(['{{ nodes.inner.output & nodes.found.output }}']);
    expect(value('s').cases).toEqual([{ port: 'p', when: 'nodes.found.output > 1' }]);
    expect(renamed.output).toEqual({ of: '{{ nodes.found.output }}' });
    expect(findNode(renamed, 'c')!.node).toBe(document.nodes[5]);
  });

  it('D9: is quoted where an expression needs it', () => {
    const short = done(document, { do: 'renameNode', graph: [], id: 'look-up', to: 'found' }).document;
    const again = done(short, { do: 'renameNode', graph: [], id: 'found', to: 'to-find' }).document;
    expect(again.output).toEqual({ of: '{{ nodes.`to-find`.output }}' });
  });

  it.each([
    ['a', 'id_duplicate'],
    ['inner', 'id_duplicate'],
    ['no id', 'id_malformed'],
    ['null', 'id_reserved'],
  ])('D3: is refused as %s: %s', (to, code) => {
    expect(refusalOf(document, { do: 'renameNode', graph: [], id: 'look-up', to })).toEqual({ code, id: to });
  });
});

describe('a setting', () => {
  const set = (pointer: string, value?: never | unknown): Operation =>
    ({ do: 'setSetting', graph: [], id: 's', pointer, ...(value !== undefined && { value }) }) as Operation;
  const document = draft(
    [route('s', 'big', 'small'), node('a'), node('b'), node('c')],
    edges('s:big -> a', 's:small -> b', 's:default -> c'),
  );

  it('makes the members that lead to it, and appends behind the last item', () => {
    const retry = done(document, set('/retry/maxAttempts', 3)).document;
    expect(findNode(retry, 's')!.node).toMatchObject({ retry: { maxAttempts: 3 } });
    const more = done(document, set('/cases/-', { port: 'odd', when: 'true' })).document;
    expect(findNode(more, 's')!.node).toHaveProperty('cases.2.port', 'odd');
    expect(more.nodes[1]).toBe(document.nodes[1]);
  });

  it('that is taken out where none is, and that is as it was, changes nothing', () => {
    expect(done(document, set('/retry/maxAttempts')).document).toBe(document);
    expect(done(document, set('/cases/0/port', 'big')).document).toBe(document);
  });

  it('D10: takes the edges of a port along when it is renamed', () => {
    const renamed = done(document, set('/cases/0/port', 'huge')).document;
    expect(drawn(renamed)).toEqual(['s:huge -> a', 's:small -> b', 's:default -> c']);
  });

  it('D10: takes the edges of a port away with it, and one undo brings both back', () => {
    const removed = done(document, set('/cases/1'));
    expect(drawn(removed.document)).toEqual(['s:big -> a', 's:default -> c']);
    expect(done(removed.document, removed.inverse).document).toEqual(document);
    const failing = done(document, set('/onError', { do: 'continue' })).document;
    const drawnError = done(failing, { do: 'connect', graph: [], edge: edge('s:error -> a') }).document;
    expect(drawn(done(drawnError, set('/onError', { do: 'fail' })).document)).toEqual(drawn(document));
  });

  it.each<[string, unknown, object]>([
    ['/cases/0/port', 'small', { code: 'port_duplicate', node: 's', port: 'small' }],
    ['/cases/0/port', 'default', { code: 'port_reserved', node: 's', port: 'default' }],
    ['/id', 'other', { code: 'setting_fixed', pointer: '/id' }],
    ['/body/edges', [], { code: 'setting_fixed', pointer: '/body/edges' }],
    ['/cases/7', {}, { code: 'setting_unreachable', pointer: '/cases/7' }],
    ['/cases/0/port/x', 1, { code: 'setting_unreachable', pointer: '/cases/0/port/x' }],
  ])('D3: is refused at %s as %j', (pointer, value, refusal) => {
    expect(refusalOf(document, set(pointer, value))).toEqual(refusal);
  });
});

describe('nodes put into a loop', () => {
  const document = draft(
    [node('a'), node('b'), node('c'), node('d'), node('e')],
    edges('a -> b', 'a -> c', 'b -> c', 'b -> d', 'c -> d', 'd -> e'),
    { layout: { a: { x: 0, y: 0 }, b: { x: 300, y: 40 }, c: { x: 600, y: 0 } } },
  );
  const wrap = (...ids: string[]): Operation => ({
    do: 'wrap',
    graph: [],
    ids,
    container: { id: 'again', kind: 'loop', until: 'index = 2' },
  });

  it('D11: take their own edges along; the others are those of the loop', () => {
    const { document: wrapped, made } = done(document, wrap('b', 'c'));
    expect(wrapped.nodes.map(({ id }) => id)).toEqual(['a', 'again', 'd', 'e']);
    expect(drawn(wrapped)).toEqual(['a -> again', 'again -> d', 'd -> e']);
    expect(findNode(wrapped, 'b')!.graph).toEqual(['again']);
    expect(made).toEqual(['again']);
    expect(look(wrapped, 'again')).toEqual({ x: 276, y: -56 });
    expect([look(wrapped, 'b'), look(wrapped, 'c')]).toEqual([
      { x: 24, y: 96 },
      { x: 324, y: 56 },
    ]);
  });

  it('D11: are refused when a way leads out and back in, which is named', () => {
    expect(refusalOf(document, wrap('b', 'd'))).toEqual({ code: 'wraps_apart', between: ['c'] });
  });

  it('D4: are the way out that a refused circle offers', () => {
    const refusal = refusalOf(document, { do: 'connect', graph: [], edge: edge('d -> b') });
    expect(refusal).toEqual({ code: 'cycle', loop: ['d', 'b', 'd'], between: ['b', 'c', 'd'] });
    const { document: wrapped } = done(document, wrap(...('between' in refusal ? refusal.between : [])));
    expect(drawn(wrapped)).toEqual(['a -> again', 'again -> e']);
  });
});

describe('how it is drawn', () => {
  it('D6: is kept in whole numbers, notes and frames apart from nodes', () => {
    const empty = draft([node('notes')]);
    const note = { x: 0, y: 0, width: 90, height: 40, text: 'why' };
    const { document } = done(done(empty, { do: 'draw', drawing: 'note', id: 'n1', value: note }).document, {
      do: 'arrange',
      nodes: { notes: { x: -0.2, y: 12.7 } },
      notes: { n1: { x: 7.5 } },
    });
    expect(JSON.stringify(document.layout)).toBe(
      '{"$notes":{"n1":{"x":8,"y":0,"width":90,"height":40,"text":"why"}},"notes":{"x":0,"y":13}}',
    );
  });

  it('D2: a move touches no node', () => {
    const document = draft([node('a'), node('b')], [], { layout: { a: { x: 0, y: 0 }, b: { x: 1, y: 1 } } });
    const moved = done(document, { do: 'arrange', nodes: { a: { x: 5, y: 5 } } }).document;
    expect(moved.nodes).toBe(document.nodes);
    expect(look(moved, 'b')).toBe(look(document, 'b'));
  });
});

describe('a draft that is no flow yet', () => {
  it('D4: is edited as far as it goes, and what is broken in it stays as it is', () => {
    const broken = draft([null, 7, { title: 'no id' }, node('a'), node('a')] as never, 'none' as never, {
      layout: 3,
    });
    const added = done(broken, { do: 'addNode', graph: [], node: node('b'), wire: { from: 'a' } });
    expect(added.document.nodes.slice(0, 5)).toEqual(broken.nodes);
    expect(drawn(added.document)).toEqual(['a -> b']);
    expect(JSON.stringify(done(added.document, added.inverse).document)).toBe(JSON.stringify(broken));
  });
});

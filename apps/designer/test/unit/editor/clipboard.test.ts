// Which mistake would this catch? A paste that reads the nodes it was copied from, that draws an edge into the other flow's nothing,
// that needs one undo per node, or that breaks over a text from elsewhere.
import { describe, expect, it } from 'vitest';
import {
  copyNodes,
  drawingsOf,
  findNode,
  isRefused,
  lookOf,
  type Operation,
  readClip,
  startHistory,
  undo,
  writeClip,
} from '../../../src/editor/index.ts';
import { done, draft, drawn, edges, map, node, perform, reads, refusalOf } from './drafts.ts';

const document = draft(
  [
    node('a', { onError: { do: 'continue' } }),
    reads('b', '{{ nodes.a.output }}'),
    map('m', [reads('inner', '{{ nodes.b.output }}')], [], { output: '{{ nodes.inner.output }}' }),
    reads('c', '{{ nodes.b.output & nodes.m.output }}'),
  ],
  edges('a -> b', 'a:error -> c', 'b -> m', 'b -> c', 'm -> c'),
  { layout: { b: { x: 100, y: 50 }, m: { x: 300, y: 20 }, inner: { x: 24, y: 56 }, c: { x: 600, y: 50 } } },
);
const clip = copyNodes(document, [], ['b', 'm', 'c']);
const paste = (more: object = {}): Operation => ({ do: 'paste', graph: [], clip, ...more }) as Operation;

describe('pasted nodes', () => {
  it('D12: get free ids, read each other, and are cut off from outside', () => {
    const { document: pasted, made } = done(document, paste());
    expect(made).toEqual(['b2', 'm2', 'c2', 'inner2']);
    expect(drawn(pasted).slice(5)).toEqual(['b2 -> m2', 'b2 -> c2', 'm2 -> c2']);
    expect(findNode(pasted, 'inner2')).toMatchObject({
      graph: ['m2'],
      node: { value: '{{ nodes.b2.output }}' },
    });
    expect(findNode(pasted, 'm2')!.node).toMatchObject({ output: '{{ nodes.inner2.output }}' });
    expect(findNode(pasted, 'c2')!.node).toMatchObject({ value: '{{ nodes.b2.output & nodes.m2.output }}' });
    expect(findNode(pasted, 'b2')!.node).toMatchObject({ value: '{{ nodes.a.output }}' });
  });

  it('D12: keep the edges that led to them when asked', () => {
    const { document: pasted } = done(document, paste({ incoming: 'keep' }));
    expect(drawn(pasted).slice(5)).toEqual(['b2 -> m2', 'b2 -> c2', 'm2 -> c2', 'a -> b2', 'a:error -> c2']);
  });

  it('D12: keep of those edges what begins at a node that is there, by a port that it has', () => {
    const other = draft([node('a')]);
    expect(drawn(done(other, paste({ incoming: 'keep' })).document)).toEqual([
      'b -> m',
      'b -> c',
      'm -> c',
      'a -> b',
    ]);
    expect(drawn(done(draft([]), paste({ incoming: 'keep' })).document)).toEqual([
      'b -> m',
      'b -> c',
      'm -> c',
    ]);
  });

  it('keep their ids where these are free, and stand where they are wanted', () => {
    const { document: pasted } = done(draft([node('a')]), paste({ at: { x: 0.4, y: 0 } }));
    expect(lookOf(pasted, 'b')).toEqual({ x: 0, y: 30 });
    expect(lookOf(pasted, 'm')).toEqual({ x: 200, y: 0 });
    expect(lookOf(pasted, 'inner')).toEqual({ x: 24, y: 56 });
    expect(lookOf(done(document, paste()).document, 'b2')).toEqual({ x: 132, y: 82 });
  });

  it('D5: go by one undo', () => {
    const { history } = perform(startHistory(document), paste({ incoming: 'keep' }));
    expect(history.past).toHaveLength(1);
    expect(undo(history).document).toEqual(document);
  });

  it('D12: come into an inner graph, even into the one that they hold a copy of', () => {
    const { document: pasted } = done(document, paste({ graph: ['m'] }));
    expect(findNode(pasted, 'm2')!.graph).toEqual(['m']);
    expect(findNode(pasted, 'inner2')!.graph).toEqual(['m', 'm2']);
  });

  it('D12: are never given an id that another pasted one has', () => {
    const both = draft([node('a'), node('a2')]);
    const { made } = done(both, { do: 'duplicate', graph: [], ids: ['a', 'a2'] });
    expect(made).toEqual(['a3', 'a4']);
  });
});

describe('copied notes and frames', () => {
  const box = { x: 10, y: 20, width: 200, height: 100 };
  const withDrawings = draft([node('a'), map('m', [node('inner')])], [], {
    layout: {
      a: { x: 50, y: 60 },
      m: { x: 300, y: 20 },
      $notes: { note: { ...box, text: 'Ask Ada', color: 'ok' }, within: { ...box, text: 'Inside', in: 'm' } },
      $frames: { frame: { ...box, title: 'Part' } },
    },
  });
  const pasted = (into: typeof document, copied: ReturnType<typeof copyNodes>, more: object = {}) =>
    done(into, { do: 'paste', graph: [], clip: readClip(writeClip(copied))!, ...more } as Operation).document;

  it('D12: get free ids and stand beside what they were copied from, also without any node', () => {
    const copied = copyNodes(withDrawings, [], [], { notes: ['note'], frames: ['frame'] });
    const both = pasted(withDrawings, copied);
    expect(drawingsOf(both, 'note').note2).toEqual({ ...box, x: 42, y: 52, text: 'Ask Ada', color: 'ok' });
    expect(drawingsOf(both, 'frame').frame2).toEqual({ ...box, x: 42, y: 52, title: 'Part' });
    expect(both.nodes).toEqual(withDrawings.nodes);
    expect(drawingsOf(pasted(both, copied), 'note')).toHaveProperty('note3');
  });

  it('D12: keep their distance to the nodes they were copied with', () => {
    const copied = copyNodes(withDrawings, [], ['a'], { notes: ['note'] });
    const other = pasted(draft([]), copied, { at: { x: 0, y: 0 } });
    expect(drawingsOf(other, 'note').note).toMatchObject({ x: 0, y: 0 });
    expect(lookOf(other, 'a')).toEqual({ x: 40, y: 40 });
  });

  it('D12: go with the container they are in, and stay where they are in it', () => {
    const both = pasted(withDrawings, copyNodes(withDrawings, [], ['m']));
    expect(drawingsOf(both, 'note').within2).toEqual({ ...box, text: 'Inside', in: 'm2' });
    expect(drawingsOf(both, 'note')).not.toHaveProperty('note2');
  });

  it('D12: come into the container they are pasted into, and out of the one they were in', () => {
    const into = pasted(withDrawings, copyNodes(withDrawings, [], [], { notes: ['note'] }), { graph: ['m'] });
    expect(drawingsOf(into, 'note').note2).toMatchObject({ in: 'm' });
    const out = pasted(withDrawings, copyNodes(withDrawings, ['m'], [], { notes: ['within', 'note'] }));
    expect(drawingsOf(out, 'note').within2).not.toHaveProperty('in');
    expect(drawingsOf(out, 'note')).not.toHaveProperty('note2');
  });

  it('D12: come with a whole flow that is pasted', () => {
    const copied = readClip(JSON.stringify(withDrawings))!;
    const other = done(draft([]), { do: 'paste', graph: [], clip: copied }).document;
    expect(Object.keys(drawingsOf(other, 'note'))).toEqual(['note', 'within']);
    expect(Object.keys(drawingsOf(other, 'frame'))).toEqual(['frame']);
  });

  it('D3: are left out where a hand wrote them wrongly', () => {
    const wrong = { n: { ...box }, m: { ...box, x: '1', text: '' }, k: null, l: 3 };
    const text = JSON.stringify({ format: 'pawl-nodes/1', nodes: [], edges: [], layout: { $notes: wrong } });
    expect(refusalOf(draft([]), { do: 'paste', graph: [], clip: readClip(text)! })).toEqual({
      code: 'nothing_chosen',
    });
  });
});

describe('the clipboard', () => {
  it('D12: holds JSON that is read again as it was written', () => {
    expect(readClip(writeClip(clip))).toEqual(clip);
  });

  it('D12: understands a whole flow', () => {
    const read = readClip(JSON.stringify(document))!;
    expect(done(draft([]), { do: 'paste', graph: [], clip: read }).document).toMatchObject({
      nodes: document.nodes,
      edges: document.edges,
    });
  });

  it.each([
    ['a text', 'hello'],
    ['other JSON', '{"a":1}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a later format', '{"format":"pawl-nodes/2","nodes":[],"edges":[]}'],
    ['lists that are none', '{"format":"pawl-nodes/1","nodes":{},"edges":[]}'],
  ])('D12: does not take %s for nodes', (_what, text) => {
    expect(readClip(text)).toBeUndefined();
  });

  it('D3, D4: pastes nothing that a hand wrote wrongly', () => {
    const written = (nodes: unknown[], drawn_: unknown[]) =>
      readClip(JSON.stringify({ format: 'pawl-nodes/1', nodes, edges: drawn_ }))!;
    const refused = (nodes: unknown[], drawn_: unknown[]) =>
      refusalOf(document, { do: 'paste', graph: [], clip: written(nodes, drawn_) });
    expect(refused([node('x'), node('x')], [])).toEqual({ code: 'id_duplicate', id: 'x' });
    expect(refused([node('x')], edges('x -> a'))).toMatchObject({ code: 'node_unknown', node: 'a' });
    expect(refused([node('x'), node('y')], edges('x -> y', 'y -> x'))).toMatchObject({ code: 'cycle' });
    expect(refused([], [])).toEqual({ code: 'nothing_chosen' });
    expect(isRefused(done(document, { do: 'paste', graph: [], clip: written([null, node('x')], [3]) }))).toBe(
      false,
    );
  });
});

// Which mistake would this catch? A wire that may be dropped where it closes a circle, one that is refused without a reason, and a
// set of legal targets that disagrees with what happens at the drop.
import { describe, expect, it } from 'vitest';
import {
  checkConnection,
  idsOf,
  illegalSources,
  illegalTargets,
  isRefused,
} from '../../../src/editor/index.ts';
import { apply, draft, edge, edges, map, node, route } from './drafts.ts';
import { Dice, randomOperation, startingDraft } from './random-editing.ts';

const document = draft(
  [node('a'), node('b'), node('c'), route('s', 'big'), map('m', [node('x'), node('y')], edges('x -> y'))],
  edges('a -> b', 'b -> c', 's:big -> c'),
);

describe('a connection', () => {
  it.each<[string, object | undefined]>([
    ['a -> c', undefined],
    ['s:big -> a', undefined],
    ['c -> a', { code: 'cycle', loop: ['c', 'a', 'b', 'c'], between: ['a', 'b', 'c'] }],
    ['a -> b', { code: 'edge_duplicate', edge: edge('a -> b') }],
    ['a -> a', { code: 'edge_self_loop', node: 'a' }],
    ['s -> a', { code: 'port_unknown', node: 's', port: '', ports: ['big', 'default'] }],
    ['a:error -> c', { code: 'port_unknown', node: 'a', port: 'error', ports: [''] }],
    ['a -> x', { code: 'edge_crosses_scope', node: 'x', graph: ['m'], other: 'a', otherGraph: [] }],
    ['x -> a', { code: 'edge_crosses_scope', node: 'x', graph: ['m'], other: 'a', otherGraph: [] }],
    ['a -> gone', { code: 'node_unknown', node: 'gone', graph: [] }],
  ])('D4: %s: %j', (text, refusal) => {
    expect(checkConnection(document, [], edge(text))).toEqual(refusal);
  });

  it('D4: is checked in the graph that is meant', () => {
    expect(checkConnection(document, ['m'], edge('y -> x'))).toMatchObject({
      code: 'cycle',
      loop: ['y', 'x', 'y'],
    });
    expect(checkConnection(document, ['a'], edge('y -> x'))).toEqual({ code: 'graph_unknown', graph: ['a'] });
  });

  it('D4: what is lit while a wire is dragged is what the drop accepts', () => {
    const dice = new Dice(7);
    let drawing = startingDraft();
    for (let at = 0; at < 150; at++) {
      const applied = apply(drawing, randomOperation(drawing, dice));
      if (!isRefused(applied)) drawing = applied.document;
    }
    const ids = [...idsOf(drawing)].slice(0, 40);
    let legal = 0;
    for (const { id, kind } of drawing.nodes.slice(0, 25)) {
      const port = kind === 'switch' ? 'default' : '';
      const [targets, sources] = [illegalTargets(drawing, [], id, port), illegalSources(drawing, [], id)];
      for (const other of ids) {
        const refusal = checkConnection(drawing, [], { from: id, ...(port && { port }), to: other });
        expect(targets.has(other), `${id} -> ${other}`).toBe(refusal !== undefined);
        legal += refusal ? 0 : 1;
        const back = checkConnection(drawing, [], { from: other, to: id })?.code;
        const isPossible = !['cycle', 'edge_self_loop', 'edge_crosses_scope'].includes(back ?? '');
        if (back !== 'port_unknown') expect(sources.has(other), `${other} -> ${id}`).toBe(!isPossible);
      }
    }
    expect(legal).toBeGreaterThan(10);
  });
});

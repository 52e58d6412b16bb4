// Which mistake would this catch? A list in which something stands above what leads to it, or in which a node is missing.
import { describe, expect, it } from 'vitest';
import {
  edgesOf,
  everyNode,
  flowOrder,
  type Graph,
  innerGraph,
  isRefused,
  nodesOf,
} from '../../../src/editor/index.ts';
import { apply, draft, edges, node } from './drafts.ts';
import { Dice, randomOperation, startingDraft } from './random-editing.ts';

const order = (graph: Graph) => flowOrder(graph).map(({ id }) => id);

describe('nodes as they follow each other', () => {
  it('D17: stand below all that lead to them, each once, whatever was drawn', () => {
    const dice = new Dice(11);
    let document = startingDraft();
    for (let step = 0; step < 400; step++) {
      const applied = apply(document, randomOperation(document, dice));
      if (isRefused(applied)) continue;
      document = applied.document;
      const bodies = [...everyNode(document)].flatMap((found) => innerGraph(found.node) ?? []);
      for (const graph of [document, ...bodies]) {
        const ids = order(graph);
        expect(ids.toSorted()).toEqual(
          nodesOf(graph)
            .map(({ id }) => id)
            .toSorted(),
        );
        for (const { from, to } of edgesOf(graph)) expect(ids.indexOf(from)).toBeLessThan(ids.indexOf(to));
      }
    }
  });

  it('D17: go down one way before the next one begins', () => {
    const graph = draft(
      ['z', 'b2', 'a', 'b1', 'c', 'end'].map((id) => node(id)),
      edges('a -> b1', 'a -> c', 'b1 -> b2', 'b2 -> end', 'c -> end'),
    );
    expect(order(graph)).toEqual(['z', 'a', 'b1', 'b2', 'c', 'end']);
  });

  it('D17: are all there in a document from elsewhere that has a circle, an edge to nowhere or an id twice', () => {
    const graph = draft(
      [node('a'), node('b'), node('c'), node('a', { title: 'again' })],
      edges('b -> c', 'c -> b', 'a -> gone', 'gone -> a'),
    );
    expect(order(graph)).toEqual(['a', 'b', 'c']);
  });
});

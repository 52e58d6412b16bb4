// Which mistake would this catch? A node that is offered as an end and then refused, one that is refused without a reason, and one
// that cannot be found by its name.
import { describe, expect, it } from 'vitest';
import { endsOf, onwardPort } from '../../../src/canvas/ends.ts';
import { checkConnection, everyNode, isRefused, knownPorts } from '../../../src/editor/index.ts';
import { apply, draft, edges, map, node, route } from '../editor/drafts.ts';
import { Dice, randomOperation, startingDraft } from '../editor/random-editing.ts';

const document = draft(
  [node('a'), route('s', 'big'), node('end', { title: 'Send reply' }), map('m', [node('x')])],
  edges('a -> s', 's:big -> end'),
);
const ids = (wanted = '', port = 'default', most = 9) =>
  endsOf(document, { graph: [], from: 's', port }, wanted, most).ends.map(
    ({ node: { id }, refused }) => `${id}${refused ? ` ${refused.code}` : ''}`,
  );

describe('where an edge may end', () => {
  it('D3: comes first, and what cannot be an end has its reason, whatever was drawn', () => {
    const dice = new Dice(5);
    let drawn = startingDraft();
    for (let step = 0; step < 150; step++) {
      const applied = apply(drawn, randomOperation(drawn, dice));
      if (!isRefused(applied)) drawn = applied.document;
      const all = [...everyNode(drawn)];
      if (all.length === 0) continue;
      const { node: from, graph } = dice.pick(all);
      const port = dice.pick(knownPorts(from) ?? ['']);
      const { ends } = endsOf(drawn, { graph, from: from.id, port }, '', 1_000);
      expect(ends).toHaveLength(all.length - 1);
      const legal = ends.filter(({ refused }) => !refused);
      expect(ends.slice(0, legal.length)).toEqual(legal);
      for (const { node: to, refused } of ends)
        expect(checkConnection(drawn, graph, { from: from.id, port, to: to.id })).toEqual(refused);
    }
  });

  it('D3: is found by title or id, however it is written, and told apart by port', () => {
    expect(ids()).toEqual(['end', 'm', 'a cycle', 'x edge_crosses_scope']);
    expect(ids('', 'big')).toEqual(['m', 'a cycle', 'end edge_duplicate', 'x edge_crosses_scope']);
    expect(ids(' REPLY ')).toEqual(['end']);
    expect(endsOf(document, { graph: [], from: 's', port: 'big' }, '', 1)).toMatchObject({ more: 3 });
  });

  it('is reached by the first port that leads nowhere yet', () => {
    const [, decide, end] = document.nodes;
    expect(onwardPort(document, [], decide!)).toBe('default');
    expect(onwardPort(document, [], end!)).toBe('');
  });
});

// Which mistake would this catch? A list that says something else than the canvas: other ways, something folded away that is open, and
// rows that are drawn anew although nothing in them has changed.
import { describe, expect, it } from 'vitest';
import { type OutlineItem, outlineOf } from '../../../src/canvas/outline.ts';
import { readsOf } from '../../../src/canvas/reads.ts';
import { done, draft, edges, map, node, reads, route } from '../editor/drafts.ts';

const document = draft(
  [
    route('decide', 'yes'),
    reads('read', '{{ input.text }}'),
    map('each', [reads('line', '{{ item & nodes.read.output }}')], [], { title: 'Each line' }),
    node('write', { title: 'Write reply' }),
  ],
  edges('read -> decide', 'decide:yes -> write', 'decide:default -> each'),
);
const at = (items: readonly OutlineItem[], id: string) => items.find(({ node: { id: own } }) => own === id)!;

describe('the list of a flow', () => {
  it('D17: says of each node what leads to it, where it leads, by which port, and what it reads', () => {
    const items = outlineOf(document, readsOf);
    expect(items.map(({ node: { id } }) => id)).toEqual(['read', 'decide', 'write', 'each']);
    expect(at(items, 'decide')).toMatchObject({
      after: ['read'],
      leads: [
        { port: 'yes', to: 'Write reply' },
        { port: 'default', to: 'Each line' },
      ],
    });
    expect(at(items, 'read').reads).toEqual(['input']);
    const [line] = at(items, 'each').inside!;
    expect(line).toMatchObject({ graph: ['each'], after: [], reads: ['item', 'read'] });
  });

  it('D17: holds what a container holds for as long as it is not folded', () => {
    const folded = done(document, { do: 'setLook', ids: ['each'], collapsed: true }).document;
    expect(at(outlineOf(folded), 'each')).not.toHaveProperty('inside');
    expect(at(outlineOf(draft([map('m', [])])), 'm').inside).toEqual([]);
  });

  it('D2: gives the same object for what has not changed, and the same list for a move', () => {
    const before = outlineOf(document, readsOf);
    const moved = done(document, { do: 'arrange', nodes: { read: { x: 9, y: 9 } } }).document;
    expect(outlineOf(moved, readsOf, before)).toBe(before);
    const named = done(document, {
      do: 'setSetting',
      graph: ['each'],
      id: 'line',
      pointer: '/title',
      value: 'Line',
    }).document;
    const after = outlineOf(named, readsOf, before);
    expect(after.map((item, index) => item === before[index])).toEqual([true, true, true, false]);
  });

  it('D2: says the new name of a node wherever it is named', () => {
    const before = outlineOf(document, readsOf);
    const named = done(document, {
      do: 'setSetting',
      graph: [],
      id: 'read',
      pointer: '/title',
      value: 'Read',
    });
    const after = outlineOf(named.document, readsOf, before);
    expect(at(after, 'decide').after).toEqual(['Read']);
    expect(at(after, 'each').inside![0]!.reads).toEqual(['item', 'Read']);
    expect(at(after, 'write')).toBe(at(before, 'write'));
  });
});

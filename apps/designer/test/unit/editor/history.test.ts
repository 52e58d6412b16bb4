// Which mistake would this catch? A drag that needs fifty undos, typing that cannot be undone word by word, an entry for nothing, a
// redo that survives a new edit.
import { describe, expect, it } from 'vitest';
import {
  begin,
  cancel,
  copyNodes,
  end,
  findNode,
  type History,
  lookOf,
  type Operation,
  redo,
  startHistory,
  undo,
} from '../../../src/editor/index.ts';
import { draft, drawn, edge, edges, node, perform, reads } from './drafts.ts';

const start = () =>
  startHistory(draft([node('a'), node('b')], edges('a -> b'), { layout: { a: { x: 0, y: 0 } } }));
const moveTo = (x: number): Operation => ({ do: 'arrange', nodes: { a: { x, y: 0 } } });
const type = (title: string): Operation => ({
  do: 'setSetting',
  graph: [],
  id: 'a',
  pointer: '/title',
  value: title,
});
const labels = ({ past }: History) => past.map(({ label }) => label);
const doAll = (history: History, operations: readonly Operation[], field?: string): History =>
  operations.reduce((each, operation) => perform(each, operation, field).history, history);

describe('the history', () => {
  it('D5: keeps a drag as one entry, however many moves it had', () => {
    const dragged = end(
      doAll(begin(start(), { did: 'move', what: 'a' }), [moveTo(1), moveTo(2), moveTo(30)]),
    );
    expect(labels(dragged)).toEqual([{ did: 'move', what: 'a' }]);
    const undone = undo(dragged);
    expect(undone.document).toEqual(start().document);
    expect(lookOf(redo(undone).document, 'a')).toEqual({ x: 30, y: 0 });
  });

  it('D5: leaves no entry for a gesture that came to nothing, and keeps what can be done again', () => {
    const undone = undo(perform(start(), moveTo(9)).history);
    const back = end(doAll(begin(undone, { did: 'move' }), [moveTo(5), moveTo(0)]));
    expect(labels(back)).toEqual([]);
    expect(lookOf(redo(back).document, 'a').x).toBe(9);
  });

  it('D5: groups what is typed in one field until a pause, another field or another operation', () => {
    let history = doAll(start(), [type('T'), type('Ti'), type('Tit')], 'a/title');
    history = doAll(end(history), [type('Tit l'), type('Tit le')], 'a/title');
    history = doAll(history, [{ ...type('B'), id: 'b' } as Operation], 'b/title');
    history = perform(history, moveTo(4)).history;
    expect(labels(history).map(({ did }) => did)).toEqual(['setTitle', 'setTitle', 'setTitle', 'move']);
    const titles = [4, 3, 2].map((count) => findNode(undo(history, count).document, 'a')!.node.title);
    expect(titles).toEqual([undefined, 'Tit', 'Tit le']);
  });

  it('D5: a gesture given up leaves everything as it was', () => {
    const given = cancel(doAll(begin(start(), { did: 'move' }), [moveTo(5)]));
    expect(given.document).toEqual(start().document);
    expect(given.gesture).toBeUndefined();
  });

  it('D3: a refusal changes nothing and says why', () => {
    const before = start();
    const { history, refused } = perform(before, { do: 'connect', graph: [], edge: edge('b -> a') });
    expect(history).toBe(before);
    expect(refused).toMatchObject({ code: 'cycle', loop: ['b', 'a', 'b'] });
  });

  it('D8: a deleted node comes back with its edges by one undo, and goes again by one redo', () => {
    const { history } = perform(start(), { do: 'removeNodes', graph: [], ids: ['a'] });
    expect(labels(history)).toEqual([{ did: 'removeNodes', what: 'a' }]);
    const undone = undo(history);
    expect(drawn(undone.document)).toEqual(['a -> b']);
    expect(drawn(redo(undone).document)).toEqual([]);
  });

  it('a new edit ends what could be done again; undoing more than there is does no harm', () => {
    const undone = undo(doAll(start(), [moveTo(1), moveTo(2)]), 5);
    expect(undone.future).toHaveLength(2);
    const edited = perform(undone, moveTo(7)).history;
    expect(redo(edited)).toEqual(edited);
    expect(labels(edited)).toHaveLength(1);
  });

  it('C77: undoes the deletion of a connected node at once, and pastes four nodes that read each other', () => {
    const drawing = draft(
      [node('a'), node('b'), node('hub'), node('c'), reads('d', '{{ nodes.hub.output }}')],
      edges('a -> hub', 'b -> hub', 'hub -> c', 'c -> d'),
    );
    const isSound = ({ document }: History) =>
      document.edges.every(({ from, to }) => findNode(document, from) && findNode(document, to));
    const begun = startHistory(drawing);
    const deleted = perform(begun, { do: 'removeNodes', graph: [], ids: ['hub'] }).history;
    expect(drawn(deleted.document)).toEqual(['c -> d']);
    expect(deleted.past).toHaveLength(1);
    const undone = undo(deleted);
    expect(JSON.stringify(undone.document)).toBe(JSON.stringify(drawing));
    const redone = redo(undone);
    expect(redone.document).toEqual(deleted.document);
    const clip = copyNodes(drawing, [], ['b', 'hub', 'c', 'd']);
    const { history: pasted, made } = perform(undo(redone), { do: 'paste', graph: [], clip });
    expect(made).toEqual(['b2', 'hub2', 'c2', 'd2']);
    expect(drawn(pasted.document).slice(4)).toEqual(['b2 -> hub2', 'hub2 -> c2', 'c2 -> d2']);
    expect(findNode(pasted.document, 'd2')?.node).toMatchObject({ value: '{{ nodes.hub2.output }}' });
    expect(undo(pasted).document).toEqual(drawing);
    for (const saved of [begun, deleted, undone, redone, pasted, undo(pasted)])
      expect(isSound(saved)).toBe(true);
  });
});

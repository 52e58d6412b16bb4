// Which mistake would this catch? Something that was done and is not said aloud, each letter of a text that is, and several operations
// that need as many undos.
import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { announcement } from '../../../src/canvas/announcement.ts';
import { createEditing } from '../../../src/canvas/editing.ts';
import { draft, drawn, edges, node } from '../editor/drafts.ts';

const t = ((key: string, { what }: { readonly what?: string } = {}) =>
  what === undefined ? key : `${key} ${what}`) as unknown as TFunction;
const start = () =>
  createEditing(draft([node('a', { title: 'Read' }), node('b'), node('c')], edges('a -> b', 'b -> c')));

describe('a flow that is edited', () => {
  it('says what was done, undone and done again, by the names that nodes have or had, and nothing of what is typed', () => {
    const editing = start();
    const said = () => {
      const now = editing.getState().said;
      return now && announcement(t, now);
    };
    const { perform, undo, redo } = editing.getState();
    perform({ do: 'connect', graph: [], edge: { from: 'a', to: 'c' } });
    expect(said()).toBe('announced.connect Read → c');
    perform({ do: 'removeNodes', graph: [], ids: ['a'] });
    expect(said()).toBe('announced.removeNodes Read');
    undo();
    expect(said()).toBe('announced.undone canvas.did.removeNodes Read');
    redo();
    expect(said()).toBe('announced.redone canvas.did.removeNodes Read');
    const before = editing.getState().said;
    perform({ do: 'setSetting', graph: [], id: 'b', pointer: '/title', value: 'L' }, { field: 'b/title' });
    perform({ do: 'removeNodes', graph: [], ids: ['gone'] });
    expect(editing.getState().said).toBe(before);
  });

  it('D5: does several things as one entry, all of them or none', () => {
    const editing = start();
    const { together, undo } = editing.getState();
    const note = { x: 0, y: 0, width: 9, height: 9, text: '' };
    const both = [
      { do: 'removeNodes', graph: [], ids: ['b'] },
      { do: 'draw', drawing: 'note', id: 'n', value: note },
    ] as const;
    const begun = editing.getState().history.document;
    expect(together(both)).toBe(true);
    expect(editing.getState().history.past).toHaveLength(1);
    undo();
    expect(drawn(editing.getState().history.document)).toEqual(['a -> b', 'b -> c']);
    expect(editing.getState().history.document).toEqual(begun);
    expect(together([both[1], { do: 'removeNodes', graph: [], ids: ['gone'] }])).toBe(false);
    expect(editing.getState().history.document).toEqual(begun);
    expect(editing.getState().refusal?.reason.code).toBe('node_unknown');
  });
});

import { type EditorState, type Range, RangeSet, StateField } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import { splitTemplate } from '@pawl/dag-core';

const chip = Decoration.mark({ class: 'cm-chip' });

/** Expressions in a text stand out as one piece each. */
export const chips = StateField.define<RangeSet<Decoration>>({
  create: chipsIn,
  update: (before, { docChanged, state }) => (docChanged ? chipsIn(state) : before),
  provide: (field) => EditorView.decorations.from(field),
});

function chipsIn(state: EditorState): RangeSet<Decoration> {
  const marks: Range<Decoration>[] = [];
  for (const part of splitTemplate(state.doc.toString()).parts)
    if (typeof part === 'object')
      marks.push(chip.range(part.position - 2, part.position + part.source.length + 2));
  return RangeSet.of(marks);
}

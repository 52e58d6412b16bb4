import { drawnId } from '../../../canvas/drawn.ts';
import { useEditing } from '../../../canvas/editing.ts';
import type { Note } from '../../../editor/index.ts';
import css from './drawings.module.css';
import { DrawnText } from './drawn-text.tsx';
import { Handling } from './handling.tsx';

/** A text on the canvas. */
export function NoteOnCanvas({
  id,
  note,
  isSelected,
}: {
  readonly id: string;
  readonly note: Note;
  readonly isSelected: boolean;
}) {
  const isWriting = useEditing(({ renaming }) => renaming === drawnId('note', id));
  return (
    <div className={`${css.note} ${colorOf(note.color)}`}>
      {isSelected && <Handling drawing="note" id={id} value={note} />}
      {isWriting ? (
        <DrawnText drawing="note" id={id} value={note} className={`nodrag nowheel ${css.text}`} />
      ) : (
        <p className={`nowheel ${css.text}`}>{note.text}</p>
      )}
    </div>
  );
}

/** The class of a colour; of none, and of one that nobody knows, the plain one. */
export const colorOf = (color: string | undefined): string => (color && css[color]) || '';

import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { drawnId } from '../../../canvas/drawn.ts';
import { useEditingStore } from '../../../canvas/editing.ts';
import type { Drawing, Frame, Note } from '../../../editor/index.ts';
import { elementOf } from '../showing.ts';

/** The text of a note or the title of a frame, written where it is read; Escape, or a click elsewhere, ends it. */
export function DrawnText({
  drawing,
  id,
  value,
  className,
}: {
  readonly drawing: Drawing;
  readonly id: string;
  readonly value: Note | Frame;
  readonly className: string;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const field = useRef<HTMLTextAreaElement>(null);
  const isNote = 'text' in value;
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const write = (text: string) => {
    const now = isNote ? { ...value, text } : { ...value, title: text.replaceAll('\n', ' ') };
    editing.getState().perform({ do: 'draw', drawing, id, value: now }, { field: drawnId(drawing, id) });
  };
  const done = () => {
    editing.getState().pause();
    if (editing.getState().renaming === drawnId(drawing, id)) editing.getState().set({ renaming: undefined });
  };
  return (
    <textarea
      ref={field}
      rows={1}
      className={className}
      aria-label={t(isNote ? 'drawing.text' : 'drawing.title')}
      value={isNote ? value.text : value.title}
      onChange={({ target }) => write(target.value)}
      onBlur={done}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Escape' && (isNote || event.key !== 'Enter')) return;
        event.preventDefault();
        done();
        elementOf(drawnId(drawing, id))?.focus();
      }}
    />
  );
}

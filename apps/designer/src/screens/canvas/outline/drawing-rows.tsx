import { Frame, StickyNote, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { COLORS, drawnId } from '../../../canvas/drawn.ts';
import { useEditing, useEditingStore } from '../../../canvas/editing.ts';
import { type Drawing, drawingsOf, type Frame as FrameValue, type Note } from '../../../editor/index.ts';
import { Button } from '../../../ui/button.tsx';
import css from './outline.module.css';

/** The notes and frames of a flow, with their texts to be written. */
export function DrawingRows() {
  const { t } = useTranslation();
  const heading = useId();
  const document = useEditing(({ history }) => history.document);
  const all = (['frame', 'note'] as const).flatMap((drawing) =>
    Object.entries(drawingsOf(document, drawing)).map(([id, value]) => ({ drawing, id, value })),
  );
  if (all.length === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className={css.heading}>
        {t('drawing.listed')}
      </h2>
      <ul>
        {all.map(({ drawing, id, value }) => (
          <li key={drawnId(drawing, id)}>
            <DrawingRow {...{ drawing, id, value }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function DrawingRow({
  drawing,
  id,
  value,
}: {
  readonly drawing: Drawing;
  readonly id: string;
  readonly value: Note | FrameValue;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const isNote = 'text' in value;
  const Icon = isNote ? StickyNote : Frame;
  const draw = (now: Note | FrameValue, field?: string) =>
    editing.getState().perform({ do: 'draw', drawing, id, value: now }, field ? { field } : {});
  const write = (text: string) =>
    draw(isNote ? { ...value, text } : { ...value, title: text }, drawnId(drawing, id));
  const paint = (color: string) => {
    const { color: _, ...rest } = value;
    draw(color ? { ...rest, color } : rest);
  };
  return (
    <div className={`${css.row} ${css.drawing}`}>
      <span className={css.icon}>
        <Icon size={15} strokeWidth={1.8} aria-hidden="true" />
      </span>
      <textarea
        rows={isNote ? 2 : 1}
        aria-label={t(isNote ? 'drawing.text' : 'drawing.title')}
        value={isNote ? value.text : value.title}
        onChange={({ target }) => write(target.value)}
        onBlur={() => editing.getState().pause()}
      />
      <select
        aria-label={t('drawing.color')}
        value={value.color ?? ''}
        onChange={({ target }) => paint(target.value)}
      >
        <option value="">{t('drawing.colors.plain')}</option>
        {COLORS.map((color) => (
          <option key={color} value={color}>
            {t(`drawing.colors.${color}`)}
          </option>
        ))}
      </select>
      <Button
        look="quiet"
        aria-label={t('outline.remove')}
        onClick={() => editing.getState().perform({ do: 'draw', drawing, id })}
      >
        <Trash2 size={14} aria-hidden="true" />
      </Button>
    </div>
  );
}

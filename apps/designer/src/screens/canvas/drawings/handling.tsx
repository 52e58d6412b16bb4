import { NodeResizer } from '@xyflow/react';
import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { COLORS, drawnId } from '../../../canvas/drawn.ts';
import { useEditingStore } from '../../../canvas/editing.ts';
import { type Drawing, type Frame, LEAST_SIZES, type Note, type Size } from '../../../editor/index.ts';
import { removeSelected } from '../selected.ts';
import css from './drawings.module.css';

/** What is done with a note or a frame that is selected: its size by the rim, its text, its colour, and away with it. */
export function Handling({
  drawing,
  id,
  value,
}: {
  readonly drawing: Drawing;
  readonly id: string;
  readonly value: Note | Frame;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const resize = (_event: unknown, { x, y, width, height }: { x: number; y: number } & Size) =>
    editing.getState().perform({
      do: 'arrange',
      as: 'resize',
      [drawing === 'note' ? 'notes' : 'frames']: { [id]: { x, y, width, height } },
    });
  const paint = (color: string | undefined) => {
    const { color: _, ...rest } = value;
    editing.getState().perform({ do: 'draw', drawing, id, value: color ? { ...rest, color } : rest });
  };
  return (
    <>
      <NodeResizer
        minWidth={LEAST_SIZES[drawing].width}
        minHeight={LEAST_SIZES[drawing].height}
        handleClassName={css.corner!}
        lineClassName={css.rim!}
        onResizeEnd={resize}
      />
      <div className={`nodrag nopan ${css.handling}`} role="toolbar" aria-label={t('drawing.tools')}>
        {[undefined, ...COLORS].map((color) => (
          <button
            key={color ?? 'plain'}
            type="button"
            className={`${css.swatch} ${color ? css[color] : ''}`}
            aria-label={t(`drawing.colors.${color ?? 'plain'}`)}
            title={t(`drawing.colors.${color ?? 'plain'}`)}
            aria-pressed={value.color === color}
            onClick={() => paint(color)}
          />
        ))}
        <button
          type="button"
          aria-label={t('drawing.write')}
          title={t('drawing.write')}
          onClick={() => editing.getState().set({ renaming: drawnId(drawing, id) })}
        >
          <Pencil size={13} aria-hidden="true" />
        </button>
        <button
          type="button"
          aria-label={t('outline.remove')}
          title={t('outline.remove')}
          onClick={() => removeSelected(editing.getState())}
        >
          <Trash2 size={13} aria-hidden="true" />
        </button>
      </div>
    </>
  );
}

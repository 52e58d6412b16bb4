import { useTranslation } from 'react-i18next';
import { drawnId } from '../../../canvas/drawn.ts';
import { useEditing } from '../../../canvas/editing.ts';
import type { Frame } from '../../../editor/index.ts';
import css from './drawings.module.css';
import { DrawnText } from './drawn-text.tsx';
import { Handling } from './handling.tsx';
import { colorOf } from './note.tsx';

/** A titled area of the canvas: taken by its title or its rim, and what lies in it goes along. */
export function FrameOnCanvas({
  id,
  frame,
  isSelected,
}: {
  readonly id: string;
  readonly frame: Frame;
  readonly isSelected: boolean;
}) {
  const { t } = useTranslation();
  const isWriting = useEditing(({ renaming }) => renaming === drawnId('frame', id));
  return (
    <div className={`${css.frame} ${colorOf(frame.color)}`}>
      {isSelected && <Handling drawing="frame" id={id} value={frame} />}
      <div className={css.frameHead}>
        {isWriting ? (
          <DrawnText drawing="frame" id={id} value={frame} className={`nodrag ${css.frameTitle}`} />
        ) : (
          <span className={css.frameTitle}>{frame.title || t('drawing.frame')}</span>
        )}
      </div>
    </div>
  );
}

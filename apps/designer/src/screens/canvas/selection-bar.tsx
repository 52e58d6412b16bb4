import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  Frame,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  ARRANGEMENTS,
  type Arrangement,
  arrangeable,
  arranged,
  leastFor,
} from '../../canvas/arrangements.ts';
import { useEditing, useEditingStore } from '../../canvas/editing.ts';
import { addDrawing } from './drawings/add-drawing.ts';
import css from './selection-bar.module.css';

const ICONS: Readonly<Record<Arrangement, LucideIcon>> = {
  left: AlignStartVertical,
  center: AlignCenterVertical,
  right: AlignEndVertical,
  top: AlignStartHorizontal,
  middle: AlignCenterHorizontal,
  bottom: AlignEndHorizontal,
  across: AlignHorizontalDistributeCenter,
  down: AlignVerticalDistributeCenter,
};

/** What can be done with several nodes at once, while they are selected. */
export function SelectionBar() {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const count = useEditing(({ history, selected }) =>
    selected.length < 2 ? 0 : arrangeable(history.document, selected).length,
  );
  if (count < 2) return null;
  const arrange = (does: Arrangement) => {
    const { history, selected, perform } = editing.getState();
    const operation = arranged(history.document, selected, does);
    if (operation) perform(operation);
  };
  return (
    <div className={css.bar} role="toolbar" aria-label={t('drawing.arrange', { count })}>
      <span className={css.count}>{t('drawing.selected', { count })}</span>
      {ARRANGEMENTS.map(({ does }) => {
        const Icon = ICONS[does];
        const words = t(`drawing.arrangements.${does}`);
        return (
          <button
            key={does}
            type="button"
            aria-label={words}
            title={words}
            disabled={count < leastFor(does)}
            onClick={() => arrange(does)}
          >
            <Icon size={16} aria-hidden="true" />
          </button>
        );
      })}
      <button
        type="button"
        aria-label={t('drawing.frameAround')}
        title={t('drawing.frameAround')}
        onClick={() => addDrawing(editing.getState(), 'frame', { graph: [], at: { x: 0, y: 0 } })}
      >
        <Frame size={16} aria-hidden="true" />
      </button>
    </div>
  );
}

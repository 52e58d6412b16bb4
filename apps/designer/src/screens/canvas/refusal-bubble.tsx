import { useTranslation } from 'react-i18next';
import { useEditing, useEditingStore } from '../../canvas/editing.ts';
import { refusalText, wrapCircle } from '../../canvas/refusal-text.ts';
import css from './refusal-bubble.module.css';

const WIDTH = 260;

/** Why the last thing was not done, where it was tried, with the way out. */
export function RefusalBubble() {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const refusal = useEditing((state) => state.refusal);
  const document = useEditing(({ history }) => history.document);
  if (!refusal) return null;
  const { reason, at } = refusal;
  const left = at ? Math.min(at.x + 8, window.innerWidth - WIDTH - 16) : undefined;
  const top = at ? Math.min(at.y + 8, window.innerHeight - 150) : undefined;
  return (
    <div role="alert" className={`${css.bubble} ${at ? '' : css.middle}`} style={{ width: WIDTH, left, top }}>
      <p>{refusalText(t, document, reason)}</p>
      <div className={css.ways}>
        {reason.code === 'cycle' && (
          <button type="button" onClick={() => wrapCircle(editing.getState(), reason)}>
            {t('canvas.refused.wrap')}
          </button>
        )}
        <button type="button" onClick={() => editing.getState().set({ refusal: undefined })}>
          {t('canvas.refused.close')}
        </button>
      </div>
    </div>
  );
}

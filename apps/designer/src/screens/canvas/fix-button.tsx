import { useTranslation } from 'react-i18next';
import { useEditingStore } from '../../canvas/editing.ts';
import type { Problem } from '../../editor/index.ts';
import css from './fix-button.module.css';

/** Takes the way out of a problem; nothing where there is none to take. */
export function FixButton({ problem: { fix, node, graph, at } }: { readonly problem: Problem }) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  if (!fix || node === undefined) return null;
  const take = () =>
    editing.getState().perform({ do: 'setSetting', graph, id: node, pointer: at, value: fix.text });
  return (
    <button type="button" className={css.fix} onClick={take}>
      {t('canvas.takeInstead', { instead: fix.instead })}
    </button>
  );
}

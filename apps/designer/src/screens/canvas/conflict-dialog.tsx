import { useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditing, useEditingStore } from '../../canvas/editing.ts';
import { refusalText } from '../../canvas/refusal-text.ts';
import { type Conflict, mergeFlows, type Side } from '../../editor/index.ts';
import type { OpenDraft } from '../../saving/open-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import css from './conflict-dialog.module.css';

const keyOf = ({ node = '', pointer }: Conflict): string => `${node} ${pointer}`;

/** Somebody else saved this draft in between: both sides, what follows from joining them, and which counts where both changed one thing. */
export function ConflictDialog({ draft }: { readonly draft: OpenDraft }) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const { conflict } = useSyncExternalStore(draft.saver.subscribe, draft.saver.state);
  const mine = useEditing(({ history }) => history.document);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const merged = useMemo(
    () =>
      conflict &&
      mergeFlows(
        { base: conflict.base, mine, theirs: conflict.theirs.document },
        (each) => chosen[keyOf(each)] ?? each.suggested,
      ),
    [conflict, mine, chosen],
  );
  if (!conflict || !merged) return null;
  const take = (document: typeof mine) => {
    editing.getState().perform({ do: 'replace', document, as: 'merge' });
    draft.saver.settleConflict(editing.getState().history.document);
  };
  return (
    <Dialog
      title={t('canvas.conflict.title')}
      text={merged.conflicts.length === 0 ? t('canvas.conflict.fits') : t('canvas.conflict.both')}
    >
      {merged.conflicts.length > 0 && (
        <table className={css.table}>
          <thead>
            <tr>
              <th>{t('canvas.conflict.what')}</th>
              <th>{t('canvas.conflict.mine')}</th>
              <th>{t('canvas.conflict.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {merged.conflicts.map((each) => {
              const key = keyOf(each);
              const name = `${each.node ?? t('canvas.conflict.flow')} ${each.pointer}`;
              return (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  {(['mine', 'theirs'] as const).map((side) => (
                    <td key={side}>
                      <label>
                        <input
                          type="radio"
                          name={key}
                          aria-label={`${name}: ${t(`canvas.conflict.${side}`)}`}
                          checked={(chosen[key] ?? each.suggested) === side}
                          onChange={() => setChosen({ ...chosen, [key]: side })}
                        />
                        <code>{valueText(each[side], t('canvas.conflict.gone'))}</code>
                      </label>
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {merged.lostEdges.map(({ edge, of, reason }) => (
        <p key={`${of} ${edge.from} ${edge.port} ${edge.to}`} className={css.lost}>
          {t('canvas.conflict.lost', { from: edge.from, to: edge.to })} {refusalText(t, mine, reason)}
        </p>
      ))}
      <DialogActions>
        <Button onClick={() => take(conflict.theirs.document)}>{t('canvas.conflict.takeTheirs')}</Button>
        <Button look="primary" onClick={() => take(merged.document)}>
          {t('canvas.conflict.merge')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function valueText(value: unknown, gone: string): string {
  if (value === undefined) return gone;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

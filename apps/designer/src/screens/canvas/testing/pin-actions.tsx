import { useTranslation } from 'react-i18next';
import { useEditing, useEditingStore } from '../../../canvas/editing.ts';
import { findNode, lookOf } from '../../../editor/index.ts';
import { Button } from '../../../ui/button.tsx';
import css from './pin-actions.module.css';

/** Keeps an output with its node, for the tests that follow; nothing of a node that is not drawn any more. */
export function PinButton({
  node,
  isTooLarge,
  isOff = false,
  onPin,
}: {
  readonly node: string;
  /** The output is one that cannot be kept. */
  readonly isTooLarge: boolean;
  readonly isOff?: boolean;
  readonly onPin: () => void;
}) {
  const { t } = useTranslation();
  const document = useEditing(({ history }) => history.document);
  if (!findNode(document, node)) return null;
  const isPinned = lookOf(document, node).pin !== undefined;
  return (
    <>
      <Button disabled={isTooLarge || isOff} onClick={onPin}>
        {t(isPinned ? 'testing.pinInstead' : 'testing.pin')}
      </Button>
      {isTooLarge && <p className={css.note}>{t('testing.tooLarge')}</p>}
    </>
  );
}

/** Takes the output that is kept with a node away again, where there is one. */
export function UnpinButton({ node }: { readonly node: string }) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const isPinned = useEditing(({ history }) => lookOf(history.document, node).pin !== undefined);
  if (!isPinned) return null;
  return (
    <Button onClick={() => editing.getState().perform({ do: 'setLook', ids: [node], pin: null })}>
      {t('testing.unpin')}
    </Button>
  );
}

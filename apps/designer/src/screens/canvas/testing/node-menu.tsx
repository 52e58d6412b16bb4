import type { Node, NodeMouseHandler } from '@xyflow/react';
import { type ReactNode, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readDrawnId } from '../../../canvas/drawn.ts';
import { useEditing, useEditingStore } from '../../../canvas/editing.ts';
import { lookOf, type Point } from '../../../editor/index.ts';
import { useTestingStore } from '../../../testing/testing.ts';
import { Menu } from '../../../ui/menu.tsx';
import { elementOf } from '../showing.ts';
import css from './menu.module.css';
import { partsOf, usePartWords } from './test-items.tsx';

/** What can be tried around a node, where it stands: by a right click, or Shift+F10. */
export function useNodeMenu(): { readonly openMenu: NodeMouseHandler<Node>; readonly menu: ReactNode } {
  const { t } = useTranslation();
  const testing = useTestingStore();
  const editing = useEditingStore();
  const document = useEditing(({ history }) => history.document);
  const wordsOf = usePartWords();
  const [isOpen, setOpen] = useState(false);
  const [{ node, at }, ask] = useState<{ readonly node?: string; readonly at?: Point }>({});
  const openMenu = useCallback<NodeMouseHandler<Node>>(
    (event, { id }) => {
      // In fields, the menu of the browser.
      if ((event.target as HTMLElement).closest('input, textarea')) return;
      event.preventDefault();
      if (readDrawnId(id)) return editing.getState().select([], [], [id]);
      editing.getState().select([id]);
      ask({ node: id, at: { x: event.clientX, y: event.clientY } });
      setOpen(true);
    },
    [editing],
  );
  const isPinned = node !== undefined && lookOf(document, node).pin !== undefined;
  const menu = (
    <Menu
      isOpen={isOpen}
      onOpen={setOpen}
      trigger={<span className={css.point} style={{ left: at?.x, top: at?.y }} aria-hidden="true" />}
      aria-label={t('testing.title')}
      aria-labelledby={undefined}
      className={css.menu}
      side="right"
      align="start"
      sideOffset={2}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        if (node !== undefined) elementOf(node)?.focus();
      }}
    >
      {({ Item }) => (
        <>
          {partsOf(node)
            .slice(1)
            .map((part) => (
              <Item key={part.do} onSelect={() => testing.getState().set({ asked: part })}>
                {wordsOf(part)}
              </Item>
            ))}
          {isPinned && (
            <Item onSelect={() => editing.getState().perform({ do: 'setLook', ids: [node], pin: null })}>
              {t('testing.unpin')}
            </Item>
          )}
        </>
      )}
    </Menu>
  );
  return { openMenu, menu };
}

import { ContextMenu } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditing, useEditingStore } from '../../../canvas/editing.ts';
import { lookOf } from '../../../editor/index.ts';
import { useTestingStore } from '../../../testing/testing.ts';
import css from './menu.module.css';
import { partsOf, usePartWords } from './test-items.tsx';

/** What can be tried around a node, where it stands: by a right click, or Shift+F10. */
export function NodeMenu({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const testing = useTestingStore();
  const editing = useEditingStore();
  const document = useEditing(({ history }) => history.document);
  const [node, setNode] = useState<string>();
  const wordsOf = usePartWords();
  const isPinned = node !== undefined && lookOf(document, node).pin !== undefined;
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger
        asChild
        onContextMenuCapture={(event) => {
          const target = event.target as HTMLElement;
          const id = target.closest<HTMLElement>('.react-flow__node')?.dataset.id;
          // Elsewhere, and in fields, the menu of the browser.
          if (id === undefined || target.closest('input, textarea')) return event.stopPropagation();
          setNode(id);
          editing.getState().select([id]);
        }}
      >
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content className={css.menu}>
          {partsOf(node)
            .slice(1)
            .map((part) => (
              <ContextMenu.Item key={part.do} onSelect={() => testing.getState().set({ asked: part })}>
                {wordsOf(part)}
              </ContextMenu.Item>
            ))}
          {isPinned && (
            <ContextMenu.Item
              onSelect={() => editing.getState().perform({ do: 'setLook', ids: [node], pin: null })}
            >
              {t('testing.unpin')}
            </ContextMenu.Item>
          )}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

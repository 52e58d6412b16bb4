import { ChevronDown, Play } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditing } from '../../../canvas/editing.ts';
import { useTestingStore } from '../../../testing/testing.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import css from './menu.module.css';
import { partsOf, usePartWords } from './test-items.tsx';

/** Tries the draft, or a part of it; publishing comes with a run in earnest. */
export function RunMenu({ onPublish }: { readonly onPublish: () => void }) {
  const { t } = useTranslation();
  const testing = useTestingStore();
  const selected = useEditing((state) => state.selected);
  const wordsOf = usePartWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <Menu
      isOpen={isOpen}
      onOpen={setOpen}
      trigger={
        <Button needs="editor">
          <Play size={14} aria-hidden="true" /> {t('canvas.run')} <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
      className={css.menu}
      align="end"
      sideOffset={4}
    >
      {({ Item, Label, Separator }) => (
        <>
          <Label className={css.label}>
            {t('testing.title')} <kbd>T</kbd>
          </Label>
          {partsOf(selected.length === 1 ? selected[0] : undefined).map((part) => (
            <Item key={part.do} onSelect={() => testing.getState().set({ asked: part })}>
              {wordsOf(part)}
            </Item>
          ))}
          {selected.length !== 1 && <p className={css.hint}>{t('testing.select')}</p>}
          <Separator className={css.line} />
          <Item onSelect={onPublish}>{t('testing.publishAndRun')}</Item>
        </>
      )}
    </Menu>
  );
}

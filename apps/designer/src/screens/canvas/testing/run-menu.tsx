import { ChevronDown, Play } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { useEditing } from '../../../canvas/editing.ts';
import { useTestingStore } from '../../../testing/testing.ts';
import { Button } from '../../../ui/button.tsx';
import css from './menu.module.css';
import { partsOf, usePartWords } from './test-items.tsx';

/** Tries the draft, or a part of it; publishing comes with a run in earnest. */
export function RunMenu({ onPublish }: { readonly onPublish: () => void }) {
  const { t } = useTranslation();
  const testing = useTestingStore();
  const selected = useEditing((state) => state.selected);
  const wordsOf = usePartWords();
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <Button>
          <Play size={14} aria-hidden="true" /> {t('canvas.run')} <ChevronDown size={14} aria-hidden="true" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css.menu} align="end" sideOffset={4}>
          <DropdownMenu.Label className={css.label}>
            {t('testing.title')} <kbd>T</kbd>
          </DropdownMenu.Label>
          {partsOf(selected.length === 1 ? selected[0] : undefined).map((part) => (
            <DropdownMenu.Item key={part.do} onSelect={() => testing.getState().set({ asked: part })}>
              {wordsOf(part)}
            </DropdownMenu.Item>
          ))}
          {selected.length !== 1 && <p className={css.hint}>{t('testing.select')}</p>}
          <DropdownMenu.Separator className={css.line} />
          <DropdownMenu.Item onSelect={onPublish}>{t('testing.publishAndRun')}</DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

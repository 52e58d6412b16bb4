import { type MouseEvent as ReactMouseEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chosen } from '../../../canvas/new-node.ts';
import type { Point } from '../../../editor/index.ts';
import { Menu } from '../../../ui/menu.tsx';
import css from '../testing/menu.module.css';

/** What can be drawn where there is nothing, by a right click. */
export function usePaneMenu(onAdd: (chosen: Chosen, screen: Point) => void): {
  readonly openPaneMenu: (event: ReactMouseEvent | MouseEvent) => void;
  readonly paneMenu: ReactNode;
} {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState<Point>({ x: 0, y: 0 });
  const chosen = useRef<Chosen>(undefined);
  const choose = (choice: Chosen) => {
    chosen.current = choice;
  };
  const openPaneMenu = useCallback((event: ReactMouseEvent | MouseEvent) => {
    event.preventDefault();
    setAt({ x: event.clientX, y: event.clientY });
    setOpen(true);
  }, []);
  const paneMenu = (
    <Menu
      isOpen={isOpen}
      onOpen={setOpen}
      trigger={<span className={css.point} style={{ left: at.x, top: at.y }} aria-hidden="true" />}
      aria-label={t('drawing.here')}
      aria-labelledby={undefined}
      className={css.menu}
      side="right"
      align="start"
      sideOffset={2}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        // The menu keeps the focus for itself until here, and what is added may want it.
        if (chosen.current) onAdd(chosen.current, at);
        chosen.current = undefined;
      }}
    >
      {({ Item }) => (
        <>
          <Item onSelect={() => choose({ drawing: 'note' })}>{t('drawing.noteHere')}</Item>
          <Item onSelect={() => choose({ drawing: 'frame' })}>{t('drawing.frameHere')}</Item>
          {(['llm', 'transform', 'code', 'switch'] as const).map((kind) => (
            <Item key={kind} onSelect={() => choose({ kind })}>
              {t('drawing.nodeHere', { kind: t(`canvas.kinds.${kind}`) })}
            </Item>
          ))}
        </>
      )}
    </Menu>
  );
  return { openPaneMenu, paneMenu };
}

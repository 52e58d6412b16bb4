import { cloneElement, type ReactElement, type RefObject, Suspense, useLayoutEffect, useRef } from 'react';
import { later } from './later.tsx';
import type { LoadedMenuProps, MenuProps } from './loaded-menu.tsx';
import { NotLoaded } from './not-loaded.tsx';

const Loaded = later<LoadedMenuProps>(
  async () => (await import('./loaded-menu.tsx')).LoadedMenu,
  WithoutMenu,
);

/** What opens a menu, and the menu. What draws menus is loaded after the page; one that was asked for before opens as soon as it is there. */
export function Menu(props: MenuProps) {
  const hadFocus = useRef(false);
  return (
    <Suspense fallback={<Trigger {...props} hadFocus={hadFocus} />}>
      <Loaded {...props} hadFocus={hadFocus} />
    </Suspense>
  );
}

/** What opens the menu, while there is none; its focus is handed on. */
function Trigger({
  trigger,
  isOpen,
  onOpen,
  hadFocus,
}: Pick<LoadedMenuProps, 'trigger' | 'isOpen' | 'onOpen' | 'hadFocus'>) {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      hadFocus.current = shown === document.activeElement;
    };
  }, [hadFocus]);
  const open = () => onOpen(true);
  return cloneElement(trigger as ReactElement<{ ref?: RefObject<HTMLElement | null> }>, {
    ref: element,
    ...{ 'aria-haspopup': 'menu', 'aria-expanded': isOpen, onClick: open },
    ...{ onPointerDown: ({ button }: PointerEvent) => button === 0 && open() },
  });
}

function WithoutMenu(props: LoadedMenuProps) {
  return (
    <>
      <Trigger {...props} />
      {props.isOpen && <NotLoaded onClose={() => props.onOpen(false)} />}
    </>
  );
}

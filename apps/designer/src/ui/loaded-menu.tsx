import { DropdownMenu } from 'radix-ui';
import {
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

type Parts = Pick<typeof DropdownMenu, 'Item' | 'Label' | 'Separator'>;

export interface MenuProps
  extends Omit<ComponentProps<typeof DropdownMenu.Content>, 'children' | 'ref' | 'asChild'> {
  /** The button that opens it, or whatever it stands beside. */
  readonly trigger: ReactElement;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly children: (parts: Parts) => ReactNode;
}

export interface LoadedMenuProps extends MenuProps {
  /** Whether what opened it until now had the focus. */
  readonly hadFocus: RefObject<boolean>;
}

/** A menu over the page, with the keys that menus have. */
export function LoadedMenu({ trigger, isOpen, onOpen, hadFocus, children, ...content }: LoadedMenuProps) {
  const opener = useRef<HTMLButtonElement>(null);
  const [wasAwaited] = useState(isOpen);
  const hasBegun = useRef(!wasAwaited);
  useLayoutEffect(() => {
    if (hadFocus.current && !wasAwaited) opener.current?.focus();
  }, [hadFocus, wasAwaited]);
  // The keys that asked for a menu before it was there were not heard here: it begins at its first item.
  const begin = (element: HTMLElement | null) => {
    if (!element || hasBegun.current) return;
    hasBegun.current = true;
    element.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  };
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={onOpen}>
      <DropdownMenu.Trigger asChild ref={opener}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content {...content} ref={begin}>
          {children(DropdownMenu)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import css from './dialog.module.css';

/** A question over the screen: focus stays in it and returns where it was. Without `onClose` it must be answered. */
export function Dialog({
  title,
  text,
  isWide = false,
  onClose,
  children,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly isWide?: boolean;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}) {
  // Found before anything here takes the focus; a dialog that no button of its own opened gives it back to nobody else.
  const [before] = useState(() => document.activeElement);
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose?.()}>
      <Radix.Portal>
        <Radix.Overlay className={css.overlay} />
        <Radix.Content
          className={`${css.dialog} ${isWide ? css.wide : ''}`}
          {...(!text && { 'aria-describedby': undefined })}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before instanceof HTMLElement && before.isConnected) before.focus();
          }}
        >
          <Radix.Title className={css.title}>{title}</Radix.Title>
          {text && <Radix.Description className={css.text}>{text}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The answers, at the end of a dialog. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={css.actions}>{children}</div>
);

import type { ReactNode } from 'react';
import css from './page.module.css';

/** A screen: its title and actions in the bar at the top, its content below. */
export function Page({
  title,
  actions,
  isBare = false,
  children,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  /** The content fills all of the screen and scrolls by itself. */
  readonly isBare?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={css.page}>
      <header className={css.top}>
        <h1>{title}</h1>
        <div className={css.space} />
        {actions}
      </header>
      <main className={isBare ? css.bare : css.body}>{children}</main>
    </div>
  );
}

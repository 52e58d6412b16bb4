import type { ReactNode } from 'react';
import css from './page.module.css';

/** A screen: its title and actions in the bar at the top, its content below. */
export function Page({
  title,
  actions,
  children,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={css.page}>
      <header className={css.top}>
        <h1>{title}</h1>
        <div className={css.space} />
        {actions}
      </header>
      <main className={css.body}>{children}</main>
    </div>
  );
}

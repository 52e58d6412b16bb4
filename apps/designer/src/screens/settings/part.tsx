import { type ReactNode, useId } from 'react';
import css from './part.module.css';

/** One part of the settings: its title, what can be done in it, and what there is. */
export function Part({
  title,
  about,
  action,
  children,
}: {
  readonly title: string;
  readonly about?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={css.part} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {about !== undefined && <p className={css.about}>{about}</p>}
      {children}
    </section>
  );
}

/** Fields below each other, not wider than one reads. */
export const Fields = ({ children }: { readonly children: ReactNode }) => (
  <div className={css.fields}>{children}</div>
);

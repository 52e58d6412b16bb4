import type { Role } from '@pawl/dag-core';
import type { ReactNode } from 'react';
import css from './role-note.module.css';
import { useWhyNot } from './why-not.ts';

/** Says that the role of who looks is not enough, where a whole part of a screen is off; nothing where it is. */
export function RoleNote({ needs, children }: { readonly needs: Role; readonly children?: ReactNode }) {
  const whyNot = useWhyNot(needs);
  return whyNot === undefined ? null : (
    <p className={css.note}>
      {children} {whyNot}
    </p>
  );
}

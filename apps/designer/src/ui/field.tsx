import type { ReactNode } from 'react';
import css from './field.module.css';

/** A control with its label above, and below what there is to know or what is wrong. */
export function Field({
  label,
  hint,
  problem,
  children,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className={css.field}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is what it is given. */}
      <label>
        <span className={css.label}>{label}</span>
        {children}
      </label>
      {problem ? (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      ) : (
        hint && <p className={css.hint}>{hint}</p>
      )}
    </div>
  );
}

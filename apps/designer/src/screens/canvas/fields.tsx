import type { Json } from '@pawl/dag-core';
import { Plus } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useEditingStore } from '../../canvas/editing.ts';
import css from './inspector.module.css';

interface FieldProps<T> {
  readonly label: string;
  readonly value: Json | undefined;
  /** Beside the label. */
  readonly aside?: ReactNode;
  readonly onChange: (value: T | undefined) => void;
}

/** A control with its label above. */
export function Labelled({
  label,
  aside,
  children,
}: {
  readonly label: string;
  readonly aside?: ReactNode;
  readonly children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={css.field}>
      <div className={css.label}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children(id)}
    </div>
  );
}

/** A plain text, in one line unless more are asked for; an empty one is none. */
export function TextField({
  label,
  value,
  aside,
  lines = 1,
  placeholder,
  onChange,
}: FieldProps<string> & {
  readonly lines?: number;
  /** What counts when nothing is said. */
  readonly placeholder?: string | undefined;
}) {
  const editing = useEditingStore();
  const Text = lines > 1 ? 'textarea' : 'input';
  return (
    <Labelled label={label} aside={aside}>
      {(id) => (
        <Text
          id={id}
          {...(lines > 1 && { rows: lines })}
          placeholder={placeholder}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
          onBlur={() => editing.getState().pause()}
        />
      )}
    </Labelled>
  );
}

/** A number; `factor` is how much more the document says than the field. */
export function NumberField({
  label,
  value,
  aside,
  factor = 1,
  is = 'whole',
  placeholder,
  onChange,
}: FieldProps<number> & {
  readonly factor?: number;
  /** `whole`: none below 0; `share`: with a fraction; `any`: also below 0. */
  readonly is?: 'whole' | 'share' | 'any';
  /** What counts when nothing is said. */
  readonly placeholder?: string;
}) {
  const editing = useEditingStore();
  const read = (typed: number) => (is === 'whole' ? Math.round(typed * factor) : typed * factor);
  return (
    <Labelled label={label} aside={aside}>
      {(id) => (
        <input
          id={id}
          type="number"
          step="any"
          min={is === 'any' ? undefined : 0}
          placeholder={placeholder}
          value={typeof value === 'number' ? value / factor : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : read(target.valueAsNumber))}
          onBlur={() => editing.getState().pause()}
        />
      )}
    </Labelled>
  );
}

/** One of several; with `empty`, none of them is a choice of its own. */
export function Choice({
  label,
  value,
  aside,
  options,
  empty,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly aside?: ReactNode;
  readonly options: readonly (readonly [string, string])[];
  readonly empty?: string;
  readonly onChange: (value: string | undefined) => void;
}) {
  return (
    <Labelled label={label} aside={aside}>
      {(id) => (
        <select id={id} value={value ?? ''} onChange={({ target }) => onChange(target.value || undefined)}>
          {(empty !== undefined || !value) && <option value="">{empty ?? '—'}</option>}
          {options.map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** Adds one more to a list. */
export function AddButton({
  words,
  isOff = false,
  onClick,
}: {
  readonly words: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" className={css.add} disabled={isOff} onClick={onClick}>
      <Plus size={13} aria-hidden="true" /> {words}
    </button>
  );
}

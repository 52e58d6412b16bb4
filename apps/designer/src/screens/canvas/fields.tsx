import type { Json } from '@pawl/dag-core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditingStore } from '../../canvas/editing.ts';
import { expressionOf, readText, templateOf, textOf } from '../../canvas/template-text.ts';
import css from './inspector.module.css';

interface FieldProps<T> {
  readonly label: string;
  readonly value: Json | undefined;
  readonly onChange: (value: T | undefined) => void;
}

/** A text, as it is written; an empty one is none. */
export function TextField({
  label,
  value,
  rows = 1,
  isCode = false,
  onChange,
}: FieldProps<string> & { readonly rows?: number; readonly isCode?: boolean }) {
  const editing = useEditingStore();
  const id = useId();
  const props = {
    value: typeof value === 'string' ? value : '',
    className: isCode ? css.code : undefined,
    spellCheck: !isCode,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange(target.value === '' ? undefined : target.value),
    onBlur: () => editing.getState().pause(),
  };
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {rows > 1 ? <textarea id={id} rows={rows} {...props} /> : <input id={id} {...props} />}
    </div>
  );
}

/** A number; `factor` is how much more the document says than the field. */
export function NumberField({
  label,
  value,
  factor = 1,
  onChange,
}: FieldProps<number> & { readonly factor?: number }) {
  const editing = useEditingStore();
  return (
    <label className={css.field}>
      <span>{label}</span>
      <input
        type="number"
        min={0}
        value={typeof value === 'number' ? value / factor : ''}
        onChange={({ target }) =>
          onChange(target.value === '' ? undefined : Math.round(target.valueAsNumber * factor))
        }
        onBlur={() => editing.getState().pause()}
      />
    </label>
  );
}

/** One of several; with `empty`, none of them is a choice of its own. */
export function Choice({
  label,
  value,
  options,
  empty,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [string, string])[];
  readonly empty?: string;
  readonly onChange: (value: string | undefined) => void;
}) {
  return (
    <label className={css.field}>
      <span>{label}</span>
      <select value={value ?? ''} onChange={({ target }) => onChange(target.value || undefined)}>
        {(empty !== undefined || !value) && <option value="">{empty ?? '—'}</option>}
        {options.map(([id, words]) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A value, written as text or JSON, or an expression that gives it. `isPlain`: no expression can stand here. */
export function TemplateField({
  label,
  value,
  isPlain = false,
  isText = false,
  onChange,
}: FieldProps<Json> & {
  readonly isPlain?: boolean;
  /** A text is wanted: what is written is never read as JSON. */
  readonly isText?: boolean;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const id = useId();
  const read = (text: string) => (isText ? text || undefined : readText(text));
  const written = isText && typeof value === 'string' ? value : textOf(value);
  const [text, setText] = useState(written);
  const expression = isPlain ? undefined : expressionOf(value);
  const isExpression = expression !== undefined;
  // What is being typed stays as it is typed, as long as it says what the document says.
  const isCurrent = JSON.stringify(read(text)) === JSON.stringify(value);
  const shown = isExpression ? expression : isCurrent ? text : written;
  const turn = (toExpression: boolean) => {
    if (toExpression === isExpression) return;
    const next = toExpression
      ? templateOf(typeof value === 'string' ? value : textOf(value) || 'input')
      : expression;
    setText(next ?? '');
    onChange(toExpression ? next : read(next ?? ''));
    editing.getState().pause();
  };
  return (
    <div className={css.field}>
      <div className={css.label}>
        <label htmlFor={id}>{label}</label>
        {!isPlain && (
          <fieldset className={css.switch} aria-label={t('canvas.valueOr', { label })}>
            {([false, true] as const).map((each) => (
              <button
                key={String(each)}
                type="button"
                aria-pressed={each === isExpression}
                onClick={() => turn(each)}
              >
                {t(each ? 'canvas.expression' : 'canvas.value')}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      <textarea
        id={id}
        className={css.code}
        rows={Math.min(12, Math.max(1, shown.split('\n').length))}
        spellCheck={false}
        value={shown}
        onChange={({ target }) => {
          setText(target.value);
          onChange(isExpression ? templateOf(target.value) : read(target.value));
        }}
        onBlur={() => editing.getState().pause()}
      />
    </div>
  );
}

import type { Json } from '@pawl/dag-core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { unparsed } from './find-issues.ts';
import css from './schema-form.module.css';

/** A value as JSON text. While the text is none, what is handed on says so and cannot be sent. */
export function JsonField({
  id,
  label,
  describedBy,
  value,
  onChange,
}: {
  readonly id?: string;
  /** Absent: somebody else names the field by its id. */
  readonly label?: string;
  readonly describedBy?: string | undefined;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
}) {
  const { t } = useTranslation();
  const own = useId();
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, undefined, 2)));
  return (
    <div className={css.field}>
      {label !== undefined && <label htmlFor={id ?? own}>{label}</label>}
      <textarea
        id={id ?? own}
        className={css.json}
        rows={Math.min(16, Math.max(3, text.split('\n').length))}
        spellCheck={false}
        value={text}
        aria-describedby={describedBy ?? `${own}-hint`}
        onChange={({ target }) => {
          setText(target.value);
          onChange(parsed(target.value));
        }}
      />
      {describedBy === undefined && (
        <p id={`${own}-hint`} className={css.hint}>
          {t('forms.asJson')}
        </p>
      )}
    </div>
  );
}

function parsed(text: string): Json | undefined {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return unparsed(text);
  }
}

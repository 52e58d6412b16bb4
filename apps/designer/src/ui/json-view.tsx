import type { Json } from '@pawl/dag-core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import css from './json-view.module.css';

/** Longest text that is put on a page at once, in characters. */
const PREVIEW = 64 * 1_024;

/** A JSON value as text; of a long one the beginning, and the rest when it is asked for, part by part. */
export function JsonView({ value, label }: { readonly value: Json; readonly label: string }) {
  const { t } = useTranslation();
  const text = useMemo(
    () => (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)),
    [value],
  );
  const [shown, setShown] = useState(PREVIEW);
  return (
    <figure className={css.figure}>
      <figcaption>{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <pre className={css.text} tabIndex={0}>
        {text.slice(0, shown)}
      </pre>
      {text.length > shown && (
        <Button onClick={() => setShown((before) => before + PREVIEW)}>
          {t('run.more', { shown: Math.round(shown / 1_024), all: Math.round(text.length / 1_024) })}
        </Button>
      )}
    </figure>
  );
}

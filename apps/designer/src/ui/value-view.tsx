import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { addressOf, readOn } from '../run/read-long-value.ts';
import { readableText } from '../run/readable-text.ts';
import { LongValue, type Value } from '../run/values.ts';
import { size } from './amounts.ts';
import { Button } from './button.tsx';
import css from './json-view.module.css';
import { JsonView } from './json-view.tsx';

/** A value of a run: as it is, or of a long one its text, part by part as it is asked for, and the whole as a file. */
export function ValueView({
  runId,
  value,
  label,
}: {
  readonly runId: string;
  readonly value: Value;
  readonly label: string;
}) {
  return value instanceof LongValue ? (
    <LongValueView key={value.hash} runId={runId} value={value} label={label} />
  ) : (
    <JsonView value={value} label={label} />
  );
}

function LongValueView({
  runId,
  value,
  label,
}: {
  readonly runId: string;
  readonly value: LongValue;
  readonly label: string;
}) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(value.preview);
  const more = useMutation({
    mutationFn: () => readOn(api, runId, value, shown),
    onSuccess: (part) => setShown((before) => before + part),
  });
  const shownBytes = new TextEncoder().encode(shown).length;
  return (
    <figure className={css.figure}>
      <figcaption>
        {label} · {t('run.partOf', { shown: size(shownBytes), all: size(value.bytes) })}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <pre className={css.text} tabIndex={0}>
        {readableText(shown)}
      </pre>
      <div className={css.actions}>
        {shownBytes < value.bytes && (
          <Button disabled={more.isPending} onClick={() => more.mutate()}>
            {t('run.showMore')}
          </Button>
        )}
        <a href={addressOf(runId, value)} download={`${value.name}.json`}>
          {t('run.wholeAsFile')}
        </a>
      </div>
      {more.isError && <p role="alert">{more.error.message}</p>}
    </figure>
  );
}

import type { JsonSchema, Template } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import type { Preview } from '../../../inspecting/recorded/preview.ts';
import type { Trouble } from '../../../inspecting/recorded/questions.ts';
import { JsonView } from '../../../ui/json-view.tsx';
import { useInspected } from './inspecting.ts';
import css from './preview-line.module.css';
import { usePreview } from './use-recorded.ts';

/** What an expression gives on the chosen run, below it: one line, and as much as is shown of it when it is opened. */
export function PreviewLine({
  pointer,
  template,
  as,
  schema,
}: {
  readonly pointer: string;
  readonly template: Template;
  readonly as: 'value' | 'text' | 'expression';
  readonly schema?: JsonSchema | undefined;
}) {
  const { t } = useTranslation();
  const { record } = useInspected();
  const { preview, trouble } = usePreview(pointer, template, as, schema);
  if (record.runId === undefined) return null;
  // What cannot be read at all is said by the core, beside the setting.
  if (trouble?.code === 'expression_syntax') return null;
  if (trouble)
    return (
      <p className={css.trouble}>
        {t('inspector.inThisRun')} <TroubleText trouble={trouble} />
      </p>
    );
  if (!preview) return null;
  const isLong = preview.text.length > preview.sample.length + 2;
  const line = (
    <>
      {t('inspector.inThisRun')} <code>{preview.sample}</code>
    </>
  );
  if (!isLong) return <p className={css.line}>{line}</p>;
  return (
    <details className={css.line}>
      <summary>{line}</summary>
      <PreviewText preview={preview} label={t(`inspector.types.${preview.type}`)} />
    </details>
  );
}

/** As much of a value as is shown, and how much there is. */
export function PreviewText({ preview, label }: { readonly preview: Preview; readonly label: string }) {
  const { t } = useTranslation();
  return (
    <>
      <JsonView value={preview.text} label={label} />
      {preview.length > preview.text.length && (
        <p className={css.line}>
          {t('inspector.cut', {
            shown: Math.round(preview.text.length / 1_024),
            all: Math.round(preview.length / 1_024),
          })}
        </p>
      )}
    </>
  );
}

/** Why there is no value, in words where there are some. */
export function TroubleText({ trouble }: { readonly trouble: Trouble }) {
  const { t, i18n } = useTranslation();
  const key = `inspector.trouble.${trouble.code}` as 'inspector.trouble.expression_empty';
  return i18n.exists(key) ? String(t(key, { what: trouble.what ?? '' })) : trouble.message;
}

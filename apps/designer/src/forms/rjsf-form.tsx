import type { Json, JsonSchema } from '@pawl/dag-core';
// Not from the whole package, which brings its tests along.
import RjsfForm from '@rjsf/core/lib/components/Form.js';
import type { UiSchema } from '@rjsf/utils';
import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { findIssues } from './find-issues.ts';
import { JsonField } from './json-field.tsx';
import css from './schema-form.module.css';
import { fields, templates } from './templates.tsx';
import { sentence, validatorOf } from './validator.ts';
import { asDrawn, whatFits } from './what-fits.ts';

/** What a screen does with the form that it shows. */
export interface FormHandle {
  /** Whether what is filled in fits; what does not is shown, and the first such place gets the focus. */
  check(): boolean;
}

export interface SchemaFormProps {
  readonly ref?: Ref<FormHandle>;
  readonly label: string;
  /** Absent: any JSON. */
  readonly schema?: JsonSchema | undefined;
  /** What is filled in at the beginning. */
  readonly initial?: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
}

/** The screen has the buttons. */
const NO_BUTTON: UiSchema = { 'ui:submitButtonOptions': { norender: true } };

/** A form for a JSON Schema; what no form can show is JSON text. */
export function RjsfSchemaForm({ ref, label, schema, initial, onChange }: SchemaFormProps) {
  const [ui] = useState<UiSchema>(() => ({ ...whatFits(schema, initial), ...NO_BUTTON }));
  const [drawn] = useState(() => asDrawn(schema ?? true, ui));
  const [validator] = useState(() => validatorOf(schema ?? true));
  const [value, setValue] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const form = useRef<RjsfForm>(null);
  const isText = ui['ui:field'] === 'json';
  const issues = isText && isChecked ? findIssues(schema, value) : [];
  useImperativeHandle(ref, () => ({
    check() {
      setChecked(true);
      const fits = findIssues(schema, value).length === 0;
      if (fits) return true;
      form.current?.validateForm();
      requestAnimationFrame(() =>
        root.current?.querySelector<HTMLElement>('[data-invalid] :is(input, textarea, select)')?.focus(),
      );
      return false;
    },
  }));
  const change = (next: Json | undefined) => {
    setValue(next);
    onChange(next);
  };
  return (
    <div ref={root} className={css.form} role="group" aria-label={label}>
      {isText ? (
        <div data-invalid={issues.length > 0 || undefined}>
          <JsonField label={label} value={initial} onChange={change} />
          <ul className={css.errors}>
            {issues.map((issue) => (
              <li key={`${issue.path.join('/')} ${issue.message}`}>
                {issue.path.length > 0 && <code>/{issue.path.join('/')}</code>} {sentence(issue)}
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <RjsfForm
          ref={form}
          tagName="div"
          schema={drawn}
          uiSchema={ui}
          formData={value}
          validator={validator}
          templates={templates}
          fields={fields}
          liveValidate={isChecked ? 'onChange' : false}
          showErrorList={false}
          noHtml5Validate
          onChange={({ formData }) => change(formData as Json)}
          onError={() => {}}
        />
      )}
    </div>
  );
}

import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { SchemaFormProps } from './rjsf-form.tsx';

export type { FormHandle } from './rjsf-form.tsx';

const Loaded = lazy(async () => ({ default: (await import('./rjsf-form.tsx')).RjsfSchemaForm }));

/** A form for a JSON Schema; its code is loaded when the first one is shown. */
export function SchemaForm(props: SchemaFormProps) {
  const { t } = useTranslation();
  return (
    <Suspense fallback={<p>{t('state.loading')}</p>}>
      <Loaded {...props} />
    </Suspense>
  );
}

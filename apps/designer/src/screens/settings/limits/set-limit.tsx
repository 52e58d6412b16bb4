import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../../api/client.ts';
import { toolsQuery } from '../../../api/tools.ts';
import {
  COUNTS,
  fieldsOf,
  type LimitFields,
  limitOf,
  NEW_LIMIT,
  WINDOW_UNITS,
  type WindowUnit,
} from '../../../settings/limit-form.ts';
import { toolRef } from '../../../tools/tool-ref.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import css from '../table.module.css';

/** Sets how often something may be called, in the place of what was set for it before. */
export function SetLimit({
  limit,
  onClose,
}: {
  readonly limit?: Parameters<typeof fieldsOf>[0] | undefined;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const targets = useId();
  const [fields, setFields] = useState<LimitFields>(() => (limit ? fieldsOf(limit) : NEW_LIMIT));
  const [isTried, setTried] = useState(false);
  const read = limitOf(fields);
  const wrong = (field: keyof LimitFields | 'nothing') =>
    isTried && 'problems' in read && read.problems.some((problem) => problem.field === field);
  const set = useMutation({
    mutationFn: (body: Parameters<typeof api.setLimit>[0]['body']) => api.setLimit({ body }),
    onSuccess: (all) => {
      queryClient.setQueryData(['limits'], all);
      onClose();
    },
  });
  const put = (changed: Partial<LimitFields>) => setFields((before) => ({ ...before, ...changed }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if ('limit' in read) set.mutate(read.limit);
  };
  return (
    <Dialog
      title={limit ? t('limits.changeOf', { target: limit.target }) : t('limits.addTitle')}
      text={t('limits.setText')}
      onClose={onClose}
    >
      <form className={css.form} onSubmit={submit} noValidate>
        <Field
          label={t('limits.target')}
          hint={t('limits.targetHint')}
          problem={wrong('target') ? t('limits.targetWrong') : undefined}
        >
          <input
            value={fields.target}
            list={targets}
            readOnly={limit !== undefined}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => put({ target: target.value })}
          />
        </Field>
        <Targets id={targets} />
        {COUNTS.map((name) => (
          <Field
            key={name}
            label={t(`limits.fields.${name}`)}
            problem={wrong(name) ? t('limits.countWrong') : undefined}
          >
            <input
              inputMode="numeric"
              value={fields[name]}
              placeholder={t('limits.unlimited')}
              onChange={({ target }) => put({ [name]: target.value })}
            />
          </Field>
        ))}
        <div className={css.pair}>
          <Field label={t('limits.window')} problem={wrong('window') ? t('limits.windowWrong') : undefined}>
            <input
              inputMode="decimal"
              value={fields.window}
              onChange={({ target }) => put({ window: target.value })}
            />
          </Field>
          <Field label={t('limits.unit')}>
            <select value={fields.unit} onChange={({ target }) => put({ unit: target.value as WindowUnit })}>
              {(Object.keys(WINDOW_UNITS) as WindowUnit[]).map((unit) => (
                <option key={unit} value={unit}>
                  {t(`limits.units.${unit}`)}
                </option>
              ))}
            </select>
          </Field>
        </div>
        {wrong('nothing') && (
          <p className={css.trouble} role="alert">
            {t('limits.nothing')}
          </p>
        )}
        {set.error && (
          <p className={css.trouble} role="alert">
            {set.error.message}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('flows.cancel')}</Button>
          <Button type="submit" look="primary" disabled={set.isPending}>
            {t('limits.setThis')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** What limits can be about, to choose from. */
function Targets({ id }: { readonly id: string }) {
  const tools = useQuery(toolsQuery);
  const models = useQuery({ queryKey: ['models'], queryFn: ({ signal }) => api.listModels({ signal }) });
  const offered = [
    ...new Set((models.data?.items ?? []).map(({ provider }) => `${provider}:*`)),
    ...(models.data?.items ?? []).map(({ id: model }) => model),
    ...(tools.data?.items ?? []).map(toolRef),
  ];
  return (
    <datalist id={id}>
      {offered.map((target) => (
        <option key={target} value={target} />
      ))}
    </datalist>
  );
}

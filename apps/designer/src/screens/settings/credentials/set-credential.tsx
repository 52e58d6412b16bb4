import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import css from '../table.module.css';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** Asks for a value once; with a name it takes the place of the value before. */
export function SetCredential({
  name: replaced,
  onClose,
}: {
  readonly name?: string | undefined;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState(replaced ?? '');
  const [value, setValue] = useState('');
  const isNamed = NAME.test(name.trim());
  const set = useMutation({
    // Copied keys often bring a line break along.
    mutationFn: () => api.setCredential({ body: { name: name.trim(), value: value.trim() } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['credentials'] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate();
  };
  return (
    <Dialog
      title={
        replaced === undefined ? t('credentials.addTitle') : t('credentials.replaceOf', { name: replaced })
      }
      text={t('credentials.writeOnly')}
      onClose={onClose}
    >
      <form className={css.form} onSubmit={submit} autoComplete="off">
        <Field
          label={t('credentials.name')}
          hint={t('credentials.nameHint', { example: '{{ secrets.CRM_TOKEN }}' })}
          problem={name !== '' && !isNamed ? t('credentials.nameWrong') : undefined}
        >
          <input
            value={name}
            required
            readOnly={replaced !== undefined}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label={t('credentials.value')} problem={set.error?.message}>
          <input
            type="password"
            value={value}
            required
            autoComplete="new-password"
            onChange={({ target }) => setValue(target.value)}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{t('flows.cancel')}</Button>
          <Button type="submit" look="primary" disabled={!isNamed || value.trim() === '' || set.isPending}>
            {t('credentials.setThis')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

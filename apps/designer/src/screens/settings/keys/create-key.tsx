import type { Role } from '@pawl/dag-core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { RoleSelect } from '../role-select.tsx';
import css from '../table.module.css';
import { ToldOnce } from '../told-once.tsx';

/** Makes a key and shows it once. */
export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const create = useMutation({
    mutationFn: () => api.createKey({ body: { name: name.trim(), role } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  });
  if (create.data)
    return (
      <ToldOnce
        title={t('keys.made', { name: create.data.name })}
        text={t('keys.toldOnce')}
        secret={create.data.key}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={t('keys.createTitle')} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label={t('keys.name')} hint={t('keys.nameHint')} problem={create.error?.message}>
          <input
            value={name}
            required
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label={t('members.role')} hint={t(`access.may.${role}`)}>
          <RoleSelect role={role} onChoose={setRole} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{t('flows.cancel')}</Button>
          <Button type="submit" look="primary" disabled={name.trim() === '' || create.isPending}>
            {t('keys.createThis')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

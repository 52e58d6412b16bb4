import type { Role } from '@pawl/dag-core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { isLongEnough, newPassword } from '../new-password.ts';
import { RoleSelect } from '../role-select.tsx';
import css from '../table.module.css';

/** As the engine takes names; it has the last word. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;

/** Makes a member; the password to begin with can be read, because somebody has to hand it over. */
export function AddMember({
  names,
  onClose,
}: {
  readonly names: readonly string[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const [password, setPassword] = useState(newPassword);
  const name = typed.trim().normalize('NFC').toLowerCase();
  const add = useMutation({
    mutationFn: () => api.createUser({ body: { name, role, password } }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['users'] });
      onClose();
    },
  });
  const wrong = names.includes(name)
    ? t('members.taken')
    : name !== '' && !NAME.test(name)
      ? t('members.nameWrong')
      : undefined;
  return (
    <Dialog title={t('members.addTitle')} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Field label={t('members.name')} hint={t('members.nameHint')} problem={wrong ?? add.error?.message}>
          <input
            value={typed}
            required
            maxLength={100}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        <Field label={t('members.role')} hint={t(`access.may.${role}`)}>
          <RoleSelect role={role} onChoose={setRole} />
        </Field>
        <Field
          label={t('members.password')}
          hint={t('members.passwordHint')}
          problem={isLongEnough(password) ? undefined : t('access.passwordShort')}
        >
          <input
            value={password}
            required
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setPassword(target.value)}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{t('flows.cancel')}</Button>
          <Button
            type="submit"
            look="primary"
            disabled={name === '' || wrong !== undefined || !isLongEnough(password) || add.isPending}
          >
            {t('members.addThis')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

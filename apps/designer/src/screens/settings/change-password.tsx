import { ApiError } from '@pawl/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import css from './account.module.css';
import { isLongEnough } from './new-password.ts';
import { Fields, Part } from './part.tsx';

/** A new password for who is signed in; the other sessions end. */
export function ChangePassword({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () => api.changePassword({ body: { current, password } }),
    onSuccess() {
      setCurrent('');
      setPassword('');
    },
  });
  const isShort = password !== '' && !isLongEnough(password);
  const isWrong = change.error instanceof ApiError && change.error.code === 'password_wrong';
  return (
    <Part title={t('account.password')} about={t('account.passwordAbout')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <input type="hidden" name="username" autoComplete="username" value={name} readOnly />
        <Fields>
          <Field
            label={t('account.current')}
            problem={isWrong ? t('account.currentWrong') : change.error?.message}
          >
            <input
              type="password"
              required
              autoComplete="current-password"
              value={current}
              onChange={({ target }) => setCurrent(target.value)}
            />
          </Field>
          <Field
            label={t('account.new')}
            hint={t('access.passwordHint')}
            problem={isShort ? t('access.passwordShort') : undefined}
          >
            <input
              type="password"
              required
              autoComplete="new-password"
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </Field>
        </Fields>
        <Button type="submit" disabled={!isLongEnough(password) || current === '' || change.isPending}>
          {t('account.change')}
        </Button>
        <p className={css.done} role="status">
          {change.isSuccess && t('account.changed')}
        </p>
      </form>
    </Part>
  );
}

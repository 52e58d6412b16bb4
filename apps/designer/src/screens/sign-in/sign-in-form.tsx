import { ApiError } from '@pawl/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Me, welcome } from '../../access/me.ts';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import css from './sign-in-form.module.css';

/** Name and password, or an API key. `before`: who was signed in here until now. */
export function SignInForm({ before }: { readonly before?: Me | undefined }) {
  const { t } = useTranslation();
  const [way, setWay] = useState<'password' | 'key'>(before?.signedInWith === 'key' ? 'key' : 'password');
  const [name, setName] = useState(before?.signedInWith === 'password' ? before.name : '');
  const [secret, setSecret] = useState('');
  const [workspace, setWorkspace] = useState(before?.workspace.name ?? '');
  const signIn = useMutation({
    mutationFn: () =>
      api.signIn({
        body:
          way === 'key'
            ? { key: secret }
            : { name, password: secret, ...(workspace.trim() && { workspace: workspace.trim() }) },
      }),
    onSuccess: (me) => welcome(me, before),
    onError: () => setSecret(''),
  });
  const turn = () => {
    setWay(way === 'key' ? 'password' : 'key');
    setSecret('');
    signIn.reset();
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate();
      }}
    >
      {way === 'password' && (
        <Field label={t('signIn.name')}>
          <input
            value={name}
            required
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: there is nothing else to do here.
            autoFocus={name === ''}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
      )}
      <Field label={t(`signIn.${way}`)}>
        <input
          key={way}
          type="password"
          value={secret}
          required
          autoComplete={way === 'key' ? 'off' : 'current-password'}
          placeholder={way === 'key' ? 'pawl_…' : undefined}
          // biome-ignore lint/a11y/noAutofocus: as above.
          autoFocus={way === 'key' || name !== ''}
          onChange={({ target }) => setSecret(target.value)}
        />
      </Field>
      {way === 'password' && (
        <details className={css.more} open={Boolean(before && before.workspace.name !== 'default')}>
          <summary>{t('signIn.otherWorkspace')}</summary>
          <Field label={t('signIn.workspace')}>
            <input
              value={workspace}
              placeholder="default"
              onChange={({ target }) => setWorkspace(target.value)}
            />
          </Field>
        </details>
      )}
      {signIn.isError && (
        <p className={css.refusal} role="alert">
          <Refusal error={signIn.error} way={way} />
        </p>
      )}
      <Button type="submit" look="primary" className={css.go ?? ''} disabled={signIn.isPending}>
        {t('signIn.go')}
      </Button>
      <Button look="quiet" className={css.turn ?? ''} onClick={turn}>
        {t(way === 'key' ? 'signIn.withPassword' : 'signIn.withKey')}
      </Button>
    </form>
  );
}

/** What went wrong; never which of two things that must fit together. */
function Refusal({ error, way }: { readonly error: Error; readonly way: 'password' | 'key' }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError)) return error.message;
  if (error.code === 'sign_in_failed') return t(`signIn.failed.${way}`);
  if (error.code === 'sign_ins_slowed')
    return t('signIn.slowed', { count: Math.ceil((error.retryAfterMs ?? 1_000) / 1_000) });
  return error.message;
}

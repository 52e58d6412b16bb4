import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../access/me.ts';
import { RoleNote } from '../../../access/role-note.tsx';
import { api, queryClient } from '../../../api/client.ts';
import { credentialsQuery } from '../../../api/credentials.ts';
import { Button } from '../../../ui/button.tsx';
import pill from '../../../ui/status-pill.module.css';
import { Confirm } from '../confirm.tsx';
import { Part } from '../part.tsx';
import css from '../table.module.css';
import { SetCredential } from './set-credential.tsx';

type Open =
  | { readonly what: 'set'; readonly name?: string }
  | { readonly what: 'remove'; readonly name: string };

/** The secrets of the workspace: set, replaced and removed by name, and never shown again. */
export function Credentials() {
  const { t, i18n } = useTranslation();
  const isAdmin = useMay('admin');
  const [open, setOpen] = useState<Open>();
  const credentials = useQuery({ ...credentialsQuery, enabled: isAdmin });
  if (!isAdmin)
    return (
      <Part title={t('settings.credentials')}>
        <RoleNote needs="admin" />
      </Part>
    );
  const { items = [], canStore = false } = credentials.data ?? {};
  const close = () => setOpen(undefined);
  return (
    <Part
      title={t('settings.credentials')}
      about={t('credentials.about')}
      action={
        <Button
          look="primary"
          disabled={!canStore}
          title={credentials.isSuccess && !canStore ? t('credentials.offShort') : undefined}
          onClick={() => setOpen({ what: 'set' })}
        >
          {t('credentials.add')}
        </Button>
      }
    >
      {credentials.isError && (
        <p className={css.trouble} role="alert">
          {credentials.error.message}
        </p>
      )}
      {credentials.isSuccess && !canStore && (
        <div className={css.notice} role="note">
          <p>{t('credentials.off')}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
          <pre tabIndex={0}>{'export PAWL_SECRET_KEY=$(openssl rand -hex 32)'}</pre>
          <p>{t('credentials.offMeanwhile')}</p>
        </div>
      )}
      {credentials.isSuccess && canStore && items.length === 0 && (
        <p className={css.quiet}>{t('credentials.none')}</p>
      )}
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
        <div className={css.frame} tabIndex={0} role="group" aria-label={t('settings.credentials')}>
          <table className={css.table} aria-label={t('settings.credentials')}>
            <thead>
              <tr>
                {(['name', 'setAt', 'setBy', 'actions'] as const).map((column) => (
                  <th key={column} scope="col" className={column === 'actions' ? css.actions : undefined}>
                    {t(`credentials.columns.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map(({ name, setAt, setBy, isReadable }) => (
                <tr key={name}>
                  <th scope="row" title={name}>
                    <code>{name}</code>
                  </th>
                  <td className={css.quiet}>
                    {new Date(setAt).toLocaleString(i18n.language, {
                      dateStyle: 'medium',
                      timeStyle: 'short',
                    })}
                    {!isReadable && (
                      <>
                        {' '}
                        <span className={`${pill.pill} ${pill.unsure}`}>{t('credentials.unreadable')}</span>
                      </>
                    )}
                  </td>
                  <td className={css.quiet}>{setBy}</td>
                  <td className={css.actions}>
                    <Button
                      look="quiet"
                      disabled={!canStore}
                      aria-label={t('credentials.replaceOf', { name })}
                      onClick={() => setOpen({ what: 'set', name })}
                    >
                      {t('credentials.replace')}
                    </Button>
                    <Button
                      look="quiet"
                      aria-label={t('credentials.removeOf', { name })}
                      onClick={() => setOpen({ what: 'remove', name })}
                    >
                      {t('credentials.remove')}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {open?.what === 'set' && <SetCredential name={open.name} onClose={close} />}
      {open?.what === 'remove' && (
        <Confirm
          title={t('credentials.removeOf', { name: open.name })}
          text={t('credentials.removeText')}
          action={t('credentials.removeThis')}
          onConfirm={async () => {
            await api.removeCredential({ params: { credential: open.name } });
            await queryClient.invalidateQueries({ queryKey: ['credentials'] });
          }}
          onClose={close}
        />
      )}
    </Part>
  );
}

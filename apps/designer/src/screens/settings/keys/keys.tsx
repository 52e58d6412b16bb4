import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../access/me.ts';
import { RoleNote } from '../../../access/role-note.tsx';
import { api, queryClient } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import pill from '../../../ui/status-pill.module.css';
import { Confirm } from '../confirm.tsx';
import { Part } from '../part.tsx';
import css from '../table.module.css';
import { CreateKey } from './create-key.tsx';

const LOOKS: Readonly<Record<string, string | undefined>> = {
  key: css.lesser,
  created: css.lesser,
  used: css.lesser,
  actions: css.actions,
};

type Open =
  | { readonly what: 'create' }
  | { readonly what: 'revoke'; readonly id: string; readonly name: string };

/** The API keys of the workspace: what programs, and people with a terminal, come with. */
export function Keys() {
  const { t, i18n } = useTranslation();
  const isAdmin = useMay('admin');
  const [open, setOpen] = useState<Open>();
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => api.listKeys({ signal }),
    enabled: isAdmin,
  });
  if (!isAdmin)
    return (
      <Part title={t('settings.keys')}>
        <RoleNote needs="admin" />
      </Part>
    );
  const items = keys.data?.items ?? [];
  const close = () => setOpen(undefined);
  const dateOf = (instant: string) =>
    new Date(instant).toLocaleDateString(i18n.language, { dateStyle: 'medium' });
  return (
    <Part
      title={t('settings.keys')}
      about={t('keys.about')}
      action={
        <Button look="primary" onClick={() => setOpen({ what: 'create' })}>
          {t('keys.create')}
        </Button>
      }
    >
      {keys.isError && (
        <p className={css.trouble} role="alert">
          {keys.error.message}
        </p>
      )}
      {keys.isSuccess && items.length === 0 && <p className={css.quiet}>{t('keys.none')}</p>}
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
        <div className={css.frame} tabIndex={0} role="group" aria-label={t('settings.keys')}>
          <table className={css.table}>
            <thead>
              <tr>
                {(['name', 'key', 'role', 'created', 'used', 'actions'] as const).map((column) => (
                  <th key={column} scope="col" className={LOOKS[column]}>
                    {t(`keys.columns.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map(({ id, name, prefix, role, createdAt, createdBy, usedAt, revokedAt }) => (
                <tr key={id}>
                  <th scope="row" title={name}>
                    {name}
                  </th>
                  <td className={css.lesser}>
                    <code>{prefix}…</code>
                  </td>
                  <td>{t(`access.roles.${role}`)}</td>
                  <td
                    className={`${css.quiet} ${css.lesser}`}
                    title={createdBy && t('keys.createdBy', { by: createdBy })}
                  >
                    {dateOf(createdAt)}
                  </td>
                  <td className={`${css.quiet} ${css.lesser}`}>
                    {usedAt === undefined ? t('keys.never') : dateOf(usedAt)}
                  </td>
                  <td className={css.actions}>
                    {revokedAt === undefined ? (
                      <Button
                        look="quiet"
                        aria-label={t('keys.revokeOf', { name })}
                        onClick={() => setOpen({ what: 'revoke', id, name })}
                      >
                        {t('keys.revoke')}
                      </Button>
                    ) : (
                      <span className={`${pill.pill} ${pill.skip}`} title={dateOf(revokedAt)}>
                        {t('keys.revoked')}
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {open?.what === 'create' && <CreateKey onClose={close} />}
      {open?.what === 'revoke' && (
        <Confirm
          title={t('keys.revokeOf', { name: open.name })}
          text={t('keys.revokeText')}
          action={t('keys.revokeThis')}
          onConfirm={async () => {
            await api.revokeKey({ params: { keyId: open.id } });
            await queryClient.invalidateQueries({ queryKey: ['keys'] });
          }}
          onClose={close}
        />
      )}
    </Part>
  );
}

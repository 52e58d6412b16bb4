import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay, useMe } from '../../../access/me.ts';
import { RoleNote } from '../../../access/role-note.tsx';
import { api, queryClient } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Part } from '../part.tsx';
import { RoleSelect } from '../role-select.tsx';
import css from '../table.module.css';
import { AddMember } from './add-member.tsx';
import { RemoveMember } from './remove-member.tsx';
import { ResetPassword } from './reset-password.tsx';

type Open = { readonly what: 'add' } | { readonly what: 'reset' | 'remove'; readonly name: string };

const LOOKS: Readonly<Record<string, string | undefined>> = {
  signedIn: css.lesser,
  sessions: css.lesser,
  actions: css.actions,
};

/** The people who may sign in to the workspace, and what each may. */
export function Members() {
  const { t, i18n } = useTranslation();
  const me = useMe();
  const isAdmin = useMay('admin');
  const [open, setOpen] = useState<Open>();
  const users = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => api.listUsers({ signal }),
    enabled: isAdmin,
  });
  const change = useMutation({
    mutationFn: ({ name, role }: { name: string; role: typeof me.role }) =>
      api.changeUser({ params: { user: name }, body: { role } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['users'] }),
  });
  if (!isAdmin)
    return (
      <Part title={t('settings.members')}>
        <RoleNote needs="admin" />
      </Part>
    );
  const items = users.data?.items ?? [];
  const trouble = users.error ?? change.error;
  const close = () => setOpen(undefined);
  return (
    <Part
      title={t('settings.members')}
      about={t('members.about')}
      action={
        <Button look="primary" onClick={() => setOpen({ what: 'add' })}>
          {t('members.add')}
        </Button>
      }
    >
      {trouble && (
        <p className={css.trouble} role="alert">
          {trouble.message}
        </p>
      )}
      {users.isSuccess && items.length === 0 && <p className={css.quiet}>{t('members.none')}</p>}
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
        <div className={css.frame} tabIndex={0} role="group" aria-label={t('settings.members')}>
          <table className={css.table}>
            <thead>
              <tr>
                {(['name', 'role', 'signedIn', 'sessions', 'actions'] as const).map((column) => (
                  <th key={column} scope="col" className={LOOKS[column]}>
                    {t(`members.columns.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map(({ name, role, signedInAt, sessions }) => {
                const isMe = me.by === `user:${name}`;
                const whyNot = isMe ? t('members.notYourself') : undefined;
                return (
                  <tr key={name}>
                    <th scope="row" title={name}>
                      {name}
                      {isMe && <span className={css.you}>{t('members.you')}</span>}
                    </th>
                    <td>
                      <RoleSelect
                        role={role}
                        aria-label={t('members.roleOf', { name })}
                        disabled={isMe || change.isPending}
                        title={whyNot}
                        onChoose={(chosen) => change.mutate({ name, role: chosen })}
                      />
                    </td>
                    <td className={`${css.quiet} ${css.lesser}`}>
                      {signedInAt === undefined
                        ? t('members.never')
                        : new Date(signedInAt).toLocaleString(i18n.language, {
                            dateStyle: 'medium',
                            timeStyle: 'short',
                          })}
                    </td>
                    <td className={`${css.quiet} ${css.lesser}`}>{sessions}</td>
                    <td className={css.actions}>
                      <Button
                        look="quiet"
                        aria-label={t('members.resetOf', { name })}
                        onClick={() => setOpen({ what: 'reset', name })}
                      >
                        {t('members.reset')}
                      </Button>
                      <Button
                        look="quiet"
                        disabled={isMe}
                        title={whyNot}
                        aria-label={t('members.removeOf', { name })}
                        onClick={() => setOpen({ what: 'remove', name })}
                      >
                        {t('members.remove')}
                      </Button>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {open?.what === 'add' && <AddMember names={items.map(({ name }) => name)} onClose={close} />}
      {open?.what === 'reset' && <ResetPassword name={open.name} onClose={close} />}
      {open?.what === 'remove' && <RemoveMember name={open.name} onClose={close} />}
    </Part>
  );
}

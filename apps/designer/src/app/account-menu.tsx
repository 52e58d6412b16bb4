import { Link } from '@tanstack/react-router';
import { DropdownMenu } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { signOut, useMe } from '../access/me.ts';
import css from './account-menu.module.css';

/** Who is signed in, as what and where; and the way out. */
export function AccountMenu() {
  const { t } = useTranslation();
  const { name, role, workspace, signedInWith, sessionUntil } = useMe();
  const who = signedInWith === 'nothing' ? t('account.thisMachine') : name;
  const label = t('account.menu', { name: who, role: t(`access.roles.${role}`) });
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className={css.trigger} aria-label={label} title={label}>
        <span aria-hidden="true">{[...who][0]!.toUpperCase()}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={css.menu}
          side="right"
          align="end"
          sideOffset={8}
          collisionPadding={8}
        >
          <DropdownMenu.Label className={css.who}>
            <strong>{who}</strong>
            <span>
              {t(`access.roles.${role}`)} · {t('account.workspace', { workspace: workspace.name })}
            </span>
          </DropdownMenu.Label>
          <DropdownMenu.Item asChild className={css.item}>
            <Link to="/settings/account">{t('account.title')}</Link>
          </DropdownMenu.Item>
          {sessionUntil !== undefined && (
            <DropdownMenu.Item className={css.item} onSelect={() => void signOut()}>
              {t('account.signOut')}
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

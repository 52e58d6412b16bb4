import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signOut, useMe } from '../access/me.ts';
import { Menu } from '../ui/menu.tsx';
import css from './account-menu.module.css';

/** Who is signed in, as what and where; and the way out. */
export function AccountMenu() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { name, role, workspace, signedInWith, sessionUntil } = useMe();
  const who = signedInWith === 'nothing' ? t('account.thisMachine') : name;
  const label = t('account.menu', { name: who, role: t(`access.roles.${role}`) });
  return (
    <Menu
      isOpen={isOpen}
      onOpen={setOpen}
      trigger={
        <button type="button" className={css.trigger} aria-label={label} title={label}>
          <span aria-hidden="true">{[...who][0]!.toUpperCase()}</span>
        </button>
      }
      className={css.menu}
      side="right"
      align="end"
      sideOffset={8}
      collisionPadding={8}
    >
      {({ Item, Label }) => (
        <>
          <Label className={css.who}>
            <strong>{who}</strong>
            <span>
              {t(`access.roles.${role}`)} · {t('account.workspace', { workspace: workspace.name })}
            </span>
          </Label>
          <Item asChild className={css.item}>
            <Link to="/settings/account">{t('account.title')}</Link>
          </Item>
          {sessionUntil !== undefined && (
            <Item className={css.item} onSelect={() => void signOut()}>
              {t('account.signOut')}
            </Item>
          )}
        </>
      )}
    </Menu>
  );
}

import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../access/me.ts';
import { Page } from '../../ui/page.tsx';
import css from './settings-screen.module.css';

/** The parts, each with an address. Those of admins are not offered to others. */
const PARTS = [
  { to: '/settings', name: 'appearance', isForAdmins: false },
  { to: '/settings/account', name: 'account', isForAdmins: false },
  { to: '/settings/models', name: 'models', isForAdmins: false },
  { to: '/settings/credentials', name: 'credentials', isForAdmins: true },
  { to: '/settings/limits', name: 'limits', isForAdmins: false },
  { to: '/settings/workers', name: 'workers', isForAdmins: false },
  { to: '/settings/retention', name: 'retention', isForAdmins: false },
  { to: '/settings/members', name: 'members', isForAdmins: true },
  { to: '/settings/keys', name: 'keys', isForAdmins: true },
] as const;

/** What can be set: of this browser, of who is signed in, of the workspace. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  return (
    <Page title={t('settings.title')} isBare>
      <div className={css.screen}>
        <nav className={css.parts} aria-label={t('settings.parts')}>
          {PARTS.filter(({ isForAdmins }) => isAdmin || !isForAdmins).map(({ to, name }) => (
            <Link key={to} to={to} activeOptions={{ exact: true }} activeProps={{ 'aria-current': 'page' }}>
              {t(`settings.${name}`)}
            </Link>
          ))}
        </nav>
        <div className={css.part}>
          <Outlet />
        </div>
      </div>
    </Page>
  );
}

import { Link } from '@tanstack/react-router';
import { type LucideIcon, Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useInboxCount } from '../inbox/use-inbox.ts';
import { useWorkspaceFeed } from '../live/use-workspace-feed.ts';
import { AccountMenu } from './account-menu.tsx';
import { useOverlay } from './commands/overlay.ts';
import { PLACES } from './places.ts';
import css from './shell.module.css';

/** The places of the application, the one that is open, and who is signed in. */
export function Rail() {
  const { t } = useTranslation();
  useWorkspaceFeed();
  const waiting = useInboxCount();
  return (
    <nav className={css.rail} aria-label={t('rail.label')}>
      <svg className={css.logo} viewBox="0 0 32 32" aria-hidden="true">
        <path d="M4 26 12 14v8l8-12v8l8-12" />
      </svg>
      <button
        type="button"
        className={css.place}
        aria-label={t('commands.title')}
        title={t('commands.title')}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => useOverlay.setState({ shown: 'commands' })}
      >
        <Search size={20} strokeWidth={1.8} aria-hidden="true" />
      </button>
      {PLACES.filter(({ name }) => name !== 'settings').map(({ to, name, Icon }) => {
        const count = name === 'inbox' ? waiting : undefined;
        const label = count === undefined ? t(`rail.${name}`) : t('inbox.railWaiting', { count });
        return <Place key={to} to={to} Icon={Icon} label={label} count={count} />;
      })}
      <span className={css.space} />
      <Place to="/settings" Icon={PLACES.at(-1)!.Icon} label={t('rail.settings')} />
      <AccountMenu />
    </nav>
  );
}

function Place({
  to,
  Icon,
  label,
  count,
}: {
  readonly to: (typeof PLACES)[number]['to'];
  readonly Icon: LucideIcon;
  readonly label: string;
  readonly count?: string | undefined;
}) {
  return (
    <Link
      to={to}
      className={css.place}
      activeProps={{ className: css.here, 'aria-current': 'page' }}
      aria-label={label}
      title={label}
    >
      <Icon size={20} strokeWidth={1.8} aria-hidden="true" />
      {count !== undefined && (
        <span className={css.count} aria-hidden="true">
          {count}
        </span>
      )}
    </Link>
  );
}

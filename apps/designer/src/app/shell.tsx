import { Link, Outlet } from '@tanstack/react-router';
import { ChartColumn, Inbox, Play, Settings, Workflow, Wrench } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useInboxCount } from '../inbox/use-inbox.ts';
import css from './shell.module.css';

const PLACES = [
  { to: '/flows', name: 'flows', Icon: Workflow },
  { to: '/runs', name: 'runs', Icon: Play },
  { to: '/compare', name: 'compare', Icon: ChartColumn },
  { to: '/inbox', name: 'inbox', Icon: Inbox },
  { to: '/tools', name: 'tools', Icon: Wrench },
  { to: '/settings', name: 'settings', Icon: Settings },
] as const;

/** The rail with the places of the application, and the one that is open. */
export function Shell() {
  const { t } = useTranslation();
  const waiting = useInboxCount();
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#content">
        {t('app.skipToContent')}
      </a>
      <nav className={css.rail} aria-label={t('rail.label')}>
        <svg className={css.logo} viewBox="0 0 32 32" aria-hidden="true">
          <path d="M4 26 12 14v8l8-12v8l8-12" />
        </svg>
        {PLACES.map(({ to, name, Icon }) => {
          const count = name === 'inbox' ? waiting : undefined;
          const label = count === undefined ? t(`rail.${name}`) : t('inbox.railWaiting', { count });
          return (
            <Link
              key={to}
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
        })}
      </nav>
      <div id="content" className={css.content} tabIndex={-1}>
        <Outlet />
      </div>
    </div>
  );
}

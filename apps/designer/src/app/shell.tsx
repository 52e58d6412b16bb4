import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { isSignedOut, MeContext, useWhoAmI } from '../access/me.ts';
import { useSignedOut } from '../access/signed-out.ts';
import { later } from '../ui/later.tsx';
import { CommandsEverywhere } from './commands/commands-everywhere.tsx';
import { Rail } from './rail.tsx';
import css from './shell.module.css';
import { Unreachable } from './unreachable.tsx';

const SessionEnded = later(async () => (await import('../screens/sign-in/session-ended.tsx')).SessionEnded);
const SignInScreen = later(async () => (await import('../screens/sign-in/sign-in-screen.tsx')).SignInScreen);

/** All screens, for whoever the engine knows; for others the way in. */
export function Shell() {
  const { t } = useTranslation();
  const me = useWhoAmI();
  const { isOut } = useSignedOut();
  if (me.data === undefined) {
    if (me.isPending) return null;
    return isSignedOut(me.error) ? (
      <Suspense>
        <SignInScreen />
      </Suspense>
    ) : (
      <Unreachable error={me.error!} onRetry={() => void me.refetch()} />
    );
  }
  return (
    <MeContext value={me.data}>
      <div className={css.shell}>
        <a className={css.skip} href="#content">
          {t('app.skipToContent')}
        </a>
        <Rail />
        <div id="content" className={css.content} tabIndex={-1}>
          <Outlet />
        </div>
      </div>
      <CommandsEverywhere />
      {isOut && (
        <Suspense>
          <SessionEnded />
        </Suspense>
      )}
    </MeContext>
  );
}

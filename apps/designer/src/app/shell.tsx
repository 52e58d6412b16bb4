import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isSignedOut, MeContext, useWhoAmI } from '../access/me.ts';
import { useSignedOut } from '../access/signed-out.ts';
import { SessionEnded } from '../screens/sign-in/session-ended.tsx';
import { SignInScreen } from '../screens/sign-in/sign-in-screen.tsx';
import { Rail } from './rail.tsx';
import css from './shell.module.css';
import { Unreachable } from './unreachable.tsx';

/** All screens, for whoever the engine knows; for others the way in. */
export function Shell() {
  const { t } = useTranslation();
  const me = useWhoAmI();
  const { isOut } = useSignedOut();
  if (me.data === undefined) {
    if (me.isPending) return null;
    return isSignedOut(me.error) ? (
      <SignInScreen />
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
      {isOut && <SessionEnded />}
    </MeContext>
  );
}

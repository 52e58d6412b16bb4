import { isEnough, ROLES } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { signOut, useMe } from '../../access/me.ts';
import { Button } from '../../ui/button.tsx';
import css from './account.module.css';
import { ChangePassword } from './change-password.tsx';
import { Part } from './part.tsx';

/** Who is signed in, and what they may; their password and their sessions. */
export function Account() {
  const { t, i18n } = useTranslation();
  const { name, role, workspace, signedInWith, sessionUntil } = useMe();
  const facts = {
    name: signedInWith === 'nothing' ? t('account.thisMachine') : name,
    role: t(`access.roles.${role}`),
    workspace: workspace.name,
    signedIn: t(`account.with.${signedInWith}`),
    ...(sessionUntil !== undefined && { until: new Date(sessionUntil).toLocaleString(i18n.language) }),
  };
  return (
    <>
      <Part title={t('settings.account')}>
        <dl className={css.facts}>
          {(Object.keys(facts) as (keyof typeof facts)[]).map((fact) => (
            <div key={fact}>
              <dt>{t(`account.facts.${fact as 'name'}`)}</dt>
              <dd>{facts[fact]}</dd>
            </div>
          ))}
        </dl>
        <p className={css.may}>
          {ROLES.filter((held) => isEnough(role, held))
            .map((held) => t(`access.may.${held}`))
            .join(' ')}
        </p>
      </Part>
      {signedInWith === 'password' && <ChangePassword name={name} />}
      {sessionUntil !== undefined && (
        <Part title={t('account.sessions')} about={t('account.sessionsAbout')}>
          <div className={css.actions}>
            <Button onClick={() => void signOut()}>{t('account.signOut')}</Button>
            <Button look="danger" onClick={() => void signOut(true)}>
              {t('account.signOutEverywhere')}
            </Button>
          </div>
        </Part>
      )}
    </>
  );
}

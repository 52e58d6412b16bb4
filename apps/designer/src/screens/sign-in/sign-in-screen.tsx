import { useTranslation } from 'react-i18next';
import { SignInForm } from './sign-in-form.tsx';
import css from './sign-in-screen.module.css';

/** For whoever the engine does not know yet. The address stays: signed in, one is where one wanted to be. */
export function SignInScreen() {
  const { t } = useTranslation();
  return (
    <main className={css.screen}>
      <section className={css.card} aria-labelledby="sign-in">
        <svg className={css.logo} viewBox="0 0 32 32" aria-hidden="true">
          <path d="M4 26 12 14v8l8-12v8l8-12" />
        </svg>
        <h1 id="sign-in">{t('signIn.title')}</h1>
        <SignInForm />
        <p className={css.help}>{t('signIn.help')}</p>
      </section>
    </main>
  );
}

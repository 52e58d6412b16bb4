import { useTranslation } from 'react-i18next';
import { chooseLanguage, LANGUAGES, type Language } from '../../text/texts.ts';
import { type ThemeChoice, useTheme } from '../../theme/theme.ts';
import { Page } from '../../ui/page.tsx';
import css from './settings-screen.module.css';

const THEMES: readonly ThemeChoice[] = ['system', 'light', 'dark'];

/** What this browser remembers: theme and language. */
export function SettingsScreen() {
  const { t, i18n } = useTranslation();
  const { choice, choose } = useTheme();
  return (
    <Page title={t('settings.title')}>
      <section className={css.section} aria-labelledby="appearance">
        <h2 id="appearance">{t('settings.appearance')}</h2>
        <label className={css.field}>
          {t('settings.theme')}
          <select value={choice} onChange={(event) => choose(event.target.value as ThemeChoice)}>
            {THEMES.map((theme) => (
              <option key={theme} value={theme}>
                {t(`settings.themes.${theme}`)}
              </option>
            ))}
          </select>
        </label>
        <label className={css.field}>
          {t('settings.language')}
          <select value={i18n.language} onChange={(event) => chooseLanguage(event.target.value as Language)}>
            {Object.entries(LANGUAGES).map(([language, name]) => (
              <option key={language} value={language}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </section>
    </Page>
  );
}

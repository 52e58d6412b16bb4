import { useTranslation } from 'react-i18next';
import { chooseLanguage, LANGUAGES, type Language } from '../../text/texts.ts';
import { type ThemeChoice, useTheme } from '../../theme/theme.ts';
import { Field } from '../../ui/field.tsx';
import { Fields, Part } from './part.tsx';

const THEMES: readonly ThemeChoice[] = ['system', 'light', 'dark'];

/** What this browser remembers: theme and language. */
export function Appearance() {
  const { t, i18n } = useTranslation();
  const { choice, choose } = useTheme();
  return (
    <Part title={t('settings.appearance')} about={t('settings.ofThisBrowser')}>
      <Fields>
        <Field label={t('settings.theme')}>
          <select value={choice} onChange={(event) => choose(event.target.value as ThemeChoice)}>
            {THEMES.map((theme) => (
              <option key={theme} value={theme}>
                {t(`settings.themes.${theme}`)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t('settings.language')}>
          <select value={i18n.language} onChange={(event) => chooseLanguage(event.target.value as Language)}>
            {Object.entries(LANGUAGES).map(([language, name]) => (
              <option key={language} value={language}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      </Fields>
    </Part>
  );
}

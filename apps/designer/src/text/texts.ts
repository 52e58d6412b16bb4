import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en, LATER, type Texts } from './en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Texts };
  }
}

export const LANGUAGES = { en: 'English', 'zh-CN': '简体中文' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'pawl.language';

function initial(): Language {
  const stored = localStorage.getItem(KEY);
  if (stored === 'en' || stored === 'zh-CN') return stored;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
}

/** Loads the catalogue of a language; English is always there, for whatever another one lacks. */
async function load(language: Language): Promise<void> {
  if (language !== 'zh-CN') return;
  const { zhCn, issues } = await import('./zh-cn.ts');
  i18next.addResourceBundle(language, 'translation', zhCn);
  i18next.addResourceBundle(language, 'issues', issues);
}

/** Makes `useTranslation` work; the language is what was chosen here, else that of the browser. */
export async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: { en: { translation: en } },
    lng: 'en',
    fallbackLng: 'en',
    interpolation: { escapeValue: false },
  });
  const language = initial();
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = i18next.language;
}

/** A screen, with texts that come with it. */
export async function withTexts<Screen>(part: keyof typeof LATER, screen: Promise<Screen>): Promise<Screen> {
  i18next.addResourceBundle('en', 'translation', await LATER[part](), true);
  return screen;
}

/** Changes the language of this browser, for good. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language);
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

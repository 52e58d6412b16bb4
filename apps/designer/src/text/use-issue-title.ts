import { useTranslation } from 'react-i18next';

/** What an issue is in the language of the screen, before the sentence of the core; undefined where that is its language already. */
export function useIssueTitle(): (code: string) => string | undefined {
  const { i18n } = useTranslation();
  return (code) => i18n.getResource(i18n.language, 'issues', code) as string | undefined;
}

import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/page.tsx';

/** Stands where a screen is still to be built. */
export function UnbuiltScreen() {
  const { t } = useTranslation();
  return (
    <Page title={t('app.name')}>
      <p>{t('soon')}</p>
    </Page>
  );
}

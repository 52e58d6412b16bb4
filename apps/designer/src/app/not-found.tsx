import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../ui/page.tsx';

/** For an address that no screen has. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <Page title={t('app.name')}>
      <p>{t('state.notFound')}</p>
      <Link to="/flows">{t('state.toFlows')}</Link>
    </Page>
  );
}

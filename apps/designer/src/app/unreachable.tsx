import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';

/** When the engine does not even say who this is. */
export function Unreachable({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Page title={t('app.name')}>
      <p role="alert">{error.message}</p>
      <Button onClick={onRetry}>{t('state.tryAgain')}</Button>
    </Page>
  );
}

import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import css from './not-loaded.module.css';

/** A part that was asked for did not come: over the screen, which stays as it is, and with what to do. */
export function NotLoaded({ onClose }: { readonly onClose?: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={css.notLoaded}>
      <p>{t('state.notLoaded')}</p>
      <Button look="primary" onClick={() => location.reload()}>
        {t('state.reload')}
      </Button>
      {onClose && <Button onClick={onClose}>{t('state.close')}</Button>}
    </div>
  );
}

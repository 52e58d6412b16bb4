import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import css from './table.module.css';

/** Shows a secret the one time that it can be shown; only a click on the button ends that. */
export function ToldOnce({
  title,
  text,
  secret,
  onClose,
}: {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog title={title} text={text}>
      <div className={css.secret}>
        <code>{secret}</code>
        <Button
          onClick={() =>
            void navigator.clipboard?.writeText(secret).then(
              () => setCopied(true),
              () => undefined,
            )
          }
        >
          {t(isCopied ? 'access.copied' : 'access.copy')}
        </Button>
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {t('access.kept')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

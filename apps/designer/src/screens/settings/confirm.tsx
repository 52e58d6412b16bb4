import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import css from './table.module.css';

/** Asks before something is taken away. */
export function Confirm({
  title,
  text,
  action,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Dialog title={title} text={text} onClose={onClose}>
      {confirm.error && (
        <p className={css.trouble} role="alert">
          {confirm.error.message}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('flows.cancel')}</Button>
        <Button look="danger" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

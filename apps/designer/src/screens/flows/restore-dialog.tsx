import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { FlowDiff } from '../../editor/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { DifferenceList } from './difference-list.tsx';

/** Says what restoring a version does to the draft before it is done. */
export function RestoreDialog({
  number,
  diff,
  restore,
  onClose,
}: {
  readonly number: number;
  readonly diff: FlowDiff | undefined;
  readonly restore: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const doing = useMutation({ mutationFn: restore });
  return (
    <Dialog title={t('versions.restoreTitle', { number })} text={t('versions.restoreText')} onClose={onClose}>
      {diff && <DifferenceList diff={diff} />}
      {doing.isError && <p role="alert">{doing.error.message}</p>}
      <DialogActions>
        <Button onClick={onClose}>{t('versions.cancel')}</Button>
        <Button look="primary" disabled={doing.isPending} onClick={() => doing.mutate()}>
          {t('versions.restoreNow')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { newPassword } from '../new-password.ts';
import css from '../table.module.css';
import { ToldOnce } from '../told-once.tsx';

/** Gives a member a new password, which is shown once to be handed over. */
export function ResetPassword({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [password] = useState(newPassword);
  const reset = useMutation({
    mutationFn: () => api.changeUser({ params: { user: name }, body: { password } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['users'] }),
  });
  if (reset.isSuccess)
    return (
      <ToldOnce
        title={t('members.resetDone', { name })}
        text={t('members.handOver')}
        secret={password}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={t('members.resetOf', { name })} text={t('members.resetText')} onClose={onClose}>
      {reset.error && (
        <p className={css.trouble} role="alert">
          {reset.error.message}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('flows.cancel')}</Button>
        <Button look="primary" disabled={reset.isPending} onClick={() => reset.mutate()}>
          {t('members.resetThis')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

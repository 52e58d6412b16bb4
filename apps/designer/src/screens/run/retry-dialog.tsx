import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { CallsToMake } from '../runs/calls-to-make.tsx';

/** Says what trying a run again would call, and does it when that is confirmed (rule 6 of the designer). */
export function RetryDialog({ runId, onClose }: { readonly runId: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const preview = useQuery({
    queryKey: ['calls to retry', runId],
    queryFn: ({ signal }) =>
      api.bulkRuns({ body: { action: 'retry', filter: { runIds: [runId] }, preview: true }, signal }),
    // What waits may be another thing a moment later.
    staleTime: 0,
    gcTime: 0,
  });
  const retry = useMutation({
    mutationFn: () => api.retryRun({ params: { runId } }),
    onSuccess: onClose,
  });
  const trouble = preview.error ?? retry.error;
  return (
    <Dialog title={t('run.retryAsk')} text={t('run.retryFollows')} onClose={onClose}>
      {preview.isPending && <p>{t('state.loading')}</p>}
      {preview.data && <CallsToMake calls={preview.data.calls ?? []} />}
      {trouble && <p role="alert">{trouble.message}</p>}
      <DialogActions>
        <Button onClick={onClose}>{t('run.retryLeave')}</Button>
        <Button
          look="primary"
          needs="operator"
          disabled={!preview.data || retry.isPending}
          onClick={() => retry.mutate()}
        >
          {t('run.retryConfirm')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

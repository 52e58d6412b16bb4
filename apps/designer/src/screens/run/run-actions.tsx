import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';

const ENDED: readonly string[] = ['succeeded', 'partial', 'failed', 'cancelled', 'cancelling'];

/** What can be done to a run as a whole. */
export function RunActions({ runId, status }: { readonly runId: string; readonly status: string }) {
  const { t } = useTranslation();
  const act = useMutation({
    mutationFn: (action: 'resumeRun' | 'pauseRun' | 'cancelRun' | 'retryRun') =>
      api[action]({ params: { runId } }),
  });
  return (
    <>
      {act.isError && <span role="alert">{act.error.message}</span>}
      {status === 'paused' && (
        <>
          <Button needs="operator" onClick={() => act.mutate('retryRun')}>
            {t('run.retry')}
          </Button>
          <Button needs="operator" onClick={() => act.mutate('resumeRun')}>
            {t('run.resume')}
          </Button>
        </>
      )}
      {['running', 'waiting', 'pending'].includes(status) && (
        <Button needs="operator" onClick={() => act.mutate('pauseRun')}>
          {t('run.pause')}
        </Button>
      )}
      {!ENDED.includes(status) && (
        <Button look="danger" needs="operator" onClick={() => act.mutate('cancelRun')}>
          {t('run.cancel')}
        </Button>
      )}
    </>
  );
}

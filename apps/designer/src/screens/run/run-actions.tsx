import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { RetryDialog } from './retry-dialog.tsx';

const ENDED: readonly string[] = ['succeeded', 'partial', 'failed', 'cancelled', 'cancelling'];

/** What can be done to a run as a whole. */
export function RunActions({
  runId,
  status,
  canRetry,
}: {
  readonly runId: string;
  readonly status: string;
  /** Something in it failed and waits for a person. */
  readonly canRetry: boolean;
}) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({
    mutationFn: (action: 'resumeRun' | 'pauseRun' | 'cancelRun') => api[action]({ params: { runId } }),
  });
  return (
    <>
      {act.isError && <span role="alert">{act.error.message}</span>}
      {canRetry && (
        <Button needs="operator" onClick={() => setAsking(true)}>
          {t('run.retry')}
        </Button>
      )}
      {status === 'paused' && (
        <Button needs="operator" onClick={() => act.mutate('resumeRun')}>
          {t('run.resume')}
        </Button>
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
      {isAsking && <RetryDialog runId={runId} onClose={() => setAsking(false)} />}
    </>
  );
}

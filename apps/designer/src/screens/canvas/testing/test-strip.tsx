import { isTerminalRun } from '@pawl/dag-core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import type { RunFeed } from '../../../run/feed.ts';
import { useTesting, useTestingStore } from '../../../testing/testing.ts';
import button from '../../../ui/button.module.css';
import { Button } from '../../../ui/button.tsx';
import { StatusPill } from '../../../ui/status-pill.tsx';
import { useFeedState } from '../../run/use-feed.ts';
import css from './test-strip.module.css';

/** Which test the canvas shows, how it stands, and the ways on from it. */
export function TestStrip({
  flow,
  runId,
  feed,
}: {
  readonly flow: string;
  readonly runId: string;
  readonly feed: RunFeed;
}) {
  const { t } = useTranslation();
  const testing = useTestingStore();
  const asksPerson = useTesting(({ marks }) =>
    Object.values(marks).some((mark) => mark.question !== undefined),
  );
  const { history, lastSeq, phase, problem } = useFeedState(feed);
  const status = history?.runAt(lastSeq)?.status;
  const cancel = useMutation({ mutationFn: () => api.cancelRun({ params: { runId } }) });
  const look = `${button.button} ${button.quiet}`;
  return (
    <div className={css.strip}>
      <span role="status" className={css.said}>
        {t('testing.shown', { run: runId.slice(-8) })}
        {status && <StatusPill status={status} />}
        {phase === 'behind' && <span className={css.note}>{t('run.behind')}</span>}
        {phase === 'refused' && <span className={css.note}>{problem}</span>}
        {cancel.isError && <span className={css.note}>{cancel.error.message}</span>}
      </span>
      {asksPerson && (
        <Link to="/inbox" search={{ flow }} className={look}>
          {t('testing.decide')}
        </Link>
      )}
      <Link to="/runs/$runId" params={{ runId }} className={look}>
        {t('testing.open')}
      </Link>
      {status && !isTerminalRun(status) && (
        <Button look="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('testing.cancel')}
        </Button>
      )}
      <Button
        look="quiet"
        aria-label={t('testing.clear')}
        title={t('testing.clear')}
        onClick={() => testing.getState().set({ runId: undefined, marks: {} })}
      >
        <X size={14} aria-hidden="true" />
      </Button>
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RunFeed } from '../../../run/feed.ts';
import { useTestingStore } from '../../../testing/testing.ts';
import button from '../../../ui/button.module.css';
import { Button } from '../../../ui/button.tsx';
import { StatusPill } from '../../../ui/status-pill.tsx';
import { useFeedState } from '../../run/use-feed.ts';
import css from './test-strip.module.css';

/** Which test the canvas shows, how it stands, and the ways on from it. */
export function TestStrip({ runId, feed }: { readonly runId: string; readonly feed: RunFeed }) {
  const { t } = useTranslation();
  const testing = useTestingStore();
  const { history, lastSeq, phase, problem } = useFeedState(feed);
  const status = history?.runAt(lastSeq)?.status;
  return (
    <div className={css.strip} role="status">
      <span>{t('testing.shown', { run: runId.slice(-8) })}</span>
      {status && <StatusPill status={status} />}
      {phase === 'behind' && <span className={css.note}>{t('run.behind')}</span>}
      {phase === 'refused' && <span className={css.note}>{problem}</span>}
      <Link to="/runs/$runId" params={{ runId }} className={`${button.button} ${button.quiet}`}>
        {t('testing.open')}
      </Link>
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
